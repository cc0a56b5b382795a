// The token of a signed-in user: VISITOR_SECRET=vs_… go run token.go ada
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

func visitorToken(secret, userID string) string {
	encode, now := base64.RawURLEncoding.EncodeToString, time.Now().Unix()
	header, _ := json.Marshal(map[string]any{"alg": "HS256", "typ": "JWT"})
	claims, _ := json.Marshal(map[string]any{"sub": userID, "iat": now, "exp": now + 3600})
	signed := encode(header) + "." + encode(claims)
	signature := hmac.New(sha256.New, []byte(secret))
	signature.Write([]byte(signed))
	return signed + "." + encode(signature.Sum(nil))
}

func main() {
	fmt.Print(visitorToken(os.Getenv("VISITOR_SECRET"), os.Args[1]))
}
