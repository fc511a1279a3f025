-- Whether many reads of a provider fail, which its clients are told of once. What the sandbox fails is of one client; a
-- state without a client is of all. Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

create index if not exists reads_failed on reads (settled_at, id) where outcome in ('unavailable', 'broken');

create table provider_states (
  provider text not null,
  mode text not null,
  client_id text not null,
  is_degraded boolean not null,
  primary key (provider, mode, client_id)
);

-- An event for each client with connections of the provider. Returns how many there are.
create function record_provider_event(state provider_states) returns bigint language sql volatile as $$
  with told as (
    insert into events (id, client_id, provider, mode, type, data, created_at)
    select new_event_id(), c.client_id, (state).provider, (state).mode,
      case when (state).is_degraded then 'provider.degraded' else 'provider.recovered' end, '{}', service_now()
    from clients c
    where not c.is_shared_sandbox and (state).client_id in ('', c.client_id)
      and exists (select from connections n where n.client_id = c.client_id and n.provider = (state).provider
        and n.mode = (state).mode and n.claimed_at is not null)
    returning id
  )
  select count(*) from told
$$;
