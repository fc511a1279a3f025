-- What a receiver was told before its account lost rights, so that nobody is told as updated when the rights are back and
-- he is what he was: [{"limited": [fields], "list": base64}], each list in the form of `acknowledged`, at most three.
-- Whoever is told of since is in none of them. Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table receiver_states add column earlier_lists jsonb not null default '[]';

alter table deliveries add column leaves_earlier_lists boolean not null default false;

-- A program of before makes a body and leaves whom it tells of in the lists: they hold no more.
create function forget_earlier_lists() returns trigger language plpgsql as $$
begin
  update receiver_states set earlier_lists = '[]' where connection_id = new.connection_id and earlier_lists <> '[]';
  return null;
end
$$;

create trigger deliveries_earlier_lists after insert on deliveries
  for each row when (not new.leaves_earlier_lists) execute function forget_earlier_lists();
