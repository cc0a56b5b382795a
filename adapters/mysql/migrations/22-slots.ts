/**
 * The 64 slots of each subscription, which share its changes among consumers. The changes of a slot up to its position were handled,
 * or their contact waits. A slot is leased if it has a token, until a time of the database's clock.
 */
export const createSlots = (prefix: string): string => `CREATE TABLE ${prefix}slots (
  subscription_id BINARY(16) NOT NULL,
  slot TINYINT NOT NULL,
  position BIGINT NOT NULL,
  token VARBINARY(64) NULL,
  leased_until BIGINT NOT NULL,
  PRIMARY KEY (subscription_id, slot)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
