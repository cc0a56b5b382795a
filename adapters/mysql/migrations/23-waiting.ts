/**
 * The contacts that wait because a change failed. `error` is NULL if the change at the position has not failed, and `due_at` if the
 * contact is parked. `by_due` serves the contacts whose pause is over, of some slots, and the list of those that are parked.
 */
export const createWaiting = (prefix: string): string => `CREATE TABLE ${prefix}waiting (
  subscription_id BINARY(16) NOT NULL,
  contact_id BINARY(16) NOT NULL,
  slot TINYINT NOT NULL,
  position BIGINT NOT NULL,
  change_id BINARY(16) NOT NULL,
  failures INT NOT NULL,
  error TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
  due_at BIGINT NULL,
  failed_at BIGINT NOT NULL,
  PRIMARY KEY (subscription_id, contact_id),
  KEY by_due (subscription_id, due_at, failed_at, change_id, slot),
  KEY by_contact (contact_id)
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
