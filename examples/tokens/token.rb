# The token of a signed-in user: VISITOR_SECRET=vs_… ruby token.rb ada
require "json"
require "openssl"

def visitor_token(secret, user_id)
  encode = ->(bytes) { [bytes].pack("m0").tr("+/", "-_").delete("=") }
  now = Time.now.to_i
  header = encode.({ alg: "HS256", typ: "JWT" }.to_json)
  claims = encode.({ sub: user_id.to_s, iat: now, exp: now + 3600 }.to_json)
  signature = OpenSSL::HMAC.digest("SHA256", secret, "#{header}.#{claims}")
  "#{header}.#{claims}.#{encode.(signature)}"
end

print visitor_token(ENV.fetch("VISITOR_SECRET"), ARGV[0])
