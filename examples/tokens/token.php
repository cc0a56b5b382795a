<?php
// The token of a signed-in user: VISITOR_SECRET=vs_… php token.php ada
function visitor_token(string $secret, string $user_id): string
{
    $encode = fn(string $bytes) => rtrim(strtr(base64_encode($bytes), "+/", "-_"), "=");
    $header = $encode(json_encode(["alg" => "HS256", "typ" => "JWT"]));
    $claims = $encode(json_encode(["sub" => $user_id, "iat" => time(), "exp" => time() + 3600]));
    $signature = hash_hmac("sha256", "$header.$claims", $secret, true);
    return "$header.$claims." . $encode($signature);
}

echo visitor_token(getenv("VISITOR_SECRET"), $argv[1]);
