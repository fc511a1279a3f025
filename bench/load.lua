-- wrk -s load.lua ADDRESS -- FILE COUNT STATUS: sends the requests of FILE in turns until COUNT replies have come, and
-- prints how many of them had another status, or "broken" when a connection was. FILE has the length of each request
-- on a line, and then its bytes.
requests, next_request, answered, wrong = {}, 0, 0, 0

function init(args)
  local file = assert(io.open(args[1], "rb"))
  count, status = tonumber(args[2]), tonumber(args[3])
  for length in file:lines() do
    requests[#requests + 1] = file:read(tonumber(length))
  end
  file:close()
end

function request()
  next_request = next_request % #requests + 1
  return requests[next_request]
end

function response(given)
  answered = answered + 1
  if given ~= status then wrong = wrong + 1 end
  if answered == count then
    io.stdout:write("wrong ", wrong, "\n")
    io.stdout:flush()
    wrk.thread:stop()
  end
end

function done(summary)
  local errors = summary.errors
  if errors.connect + errors.read + errors.write + errors.timeout > 0 then io.stdout:write("broken\n") end
end
