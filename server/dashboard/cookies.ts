export interface Cookie {
  name: string;
  value: string;
  path: string;
  maxAgeSeconds: number;
  isHttps: boolean;
}

/** The values in a `Cookie` header. There are several if another application of the host has set a cookie of the same name. */
export function valuesIn(cookies: string, name: string): string[] {
  return cookies
    .split(/;\s*/)
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .map((cookie) => cookie.slice(name.length + 1));
}

/** A `Set-Cookie` that scripts cannot read and other sites cannot have sent. With a maximum age of 0 it removes the cookie. */
export function setCookie({ name, value, path, maxAgeSeconds, isHttps }: Cookie): string {
  const attributes = [`Path=${path}`, `Max-Age=${maxAgeSeconds}`, "HttpOnly", "SameSite=Strict"];
  return [`${name}=${value}`, ...attributes, ...(isHttps ? ["Secure"] : [])].join("; ");
}
