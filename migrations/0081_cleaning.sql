-- What a client has switched off is removed from what is kept for its webhooks, one connection after the other, in the
-- order of their ids. A sweep that ends early is gone on with by the next one: `cleaned_to` is the connection that was
-- begun last. `uncleaned` are those that were begun and have not ended, because they failed or their process was killed.
-- A program of before begins again from the first connection each time, and knows neither.
-- Programs from 0029_delivery_errors on may start on it.
set local lock_timeout = '500ms';

alter table webhook_endpoints add column cleaned_to uuid, add column uncleaned uuid[] not null default '{}';

-- When more is switched off, or all was cleaned, also by a program of before, the next cleaning begins from the first.
create function begin_cleaning_anew() returns trigger language plpgsql as $$
begin
  new.cleaned_to := null;
  new.uncleaned := '{}';
  return new;
end
$$;

create trigger webhook_endpoints_cleans_due before update of cleans_due on webhook_endpoints
  for each row when (new.cleans_due <> old.cleans_due) execute function begin_cleaning_anew();
