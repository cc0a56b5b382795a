# The token of a signed-in user: VISITOR_SECRET=vs_… python3 token.py ada
import base64, hmac, json, os, sys, time


def visitor_token(secret: str, user_id: str) -> str:
    def encode(data: bytes) -> str:
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    now = int(time.time())
    header = encode(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
    claims = encode(json.dumps({"sub": user_id, "iat": now, "exp": now + 3600}).encode())
    signature = hmac.digest(secret.encode(), f"{header}.{claims}".encode(), "sha256")
    return f"{header}.{claims}.{encode(signature)}"


print(visitor_token(os.environ["VISITOR_SECRET"], sys.argv[1]), end="")
