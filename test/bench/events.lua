-- For wrk. A random contact from user${FIRST_CONTACT} to user${LAST_CONTACT}; with KEYED_BY, which must be new each time, each request has an Idempotency-Key of its own.
local eventKeys = { "signup_completed", "page_viewed", "purchase_completed", "report_created", "feature_used" }
local first = tonumber(os.getenv("FIRST_CONTACT") or "0")
local last = tonumber(os.getenv("LAST_CONTACT") or "9999")
local keyedBy = os.getenv("KEYED_BY")
local headers = { ["content-type"] = "application/json", ["authorization"] = "Bearer " .. os.getenv("KEY") }
local sent = 0
math.randomseed(os.time())

request = function()
  sent = sent + 1
  if keyedBy then headers["idempotency-key"] = keyedBy .. "-" .. sent end
  local body = '{"externalId":"user' .. math.random(first, last) .. '@example.com","eventKey":"' .. eventKeys[math.random(1, 5)]
    .. '","properties":{"plan":"pro","amount":42.5,"trial":false}}'
  return wrk.format("POST", "/api/v1/events", headers, body)
end

done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format("RESULT %.1f %.3f %.3f %d\n", summary.requests / (summary.duration / 1e6), latency:percentile(50) / 1000,
    latency:percentile(99) / 1000, errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
