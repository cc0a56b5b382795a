/** One of several hosts of a database URL. */
export interface Host {
  /** The database URL with this host alone. */
  url: string;
  /** The name or address. Empty if the URL has none, or is not valid. */
  host: string;
  port: number;
}

/** The parts of a URL: the text before the hosts, the hosts, and the text after them. */
const parts = /^([^/?#]*:\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)((?:[/?#].*)?)$/s;
const portDefault = 3_306;

/**
 * Returns the hosts of a URL with several, in the syntax of libpq and JDBC:
 * `mysql://user:password@a:3306,b,[::1]:3307/database?…`. Returns none for any other text.
 */
export function hostsOf(text: string): Host[] {
  const [, before = "", hosts, after = ""] = parts.exec(text) ?? [];
  return hosts?.split(",").map((host) => toHost(before + host + after)) ?? [];
}

function toHost(url: string): Host {
  try {
    const { hostname, port } = new URL(url);
    return { url, host: decodeURIComponent(hostname.replace(/^\[|\]$/g, "")), port: Number(port) || portDefault };
  } catch {
    return { url, host: "", port: 0 };
  }
}
