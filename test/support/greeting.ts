/** The first packet of a server that offers TLS (CLIENT_SSL), with mysql_native_password. */
export function greeting(): Buffer {
  const body = Buffer.concat([
    Buffer.from("\x0a8.0.0\0"),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from("12345678\0"),
    // PROTOCOL_41, SSL, SECURE_CONNECTION; utf8mb4; autocommit; PLUGIN_AUTH.
    Buffer.from([0x00, 0x8a, 0x2d, 0x02, 0x00, 0x08, 0x00, 21]),
    Buffer.alloc(10),
    Buffer.from("123456789012\0mysql_native_password\0"),
  ]);
  return Buffer.concat([Buffer.from([body.length, 0, 0, 0]), body]);
}
