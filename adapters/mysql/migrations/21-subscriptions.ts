/** The smallest position that each subscription accepts, by the id of its definition. */
export const createSubscriptions = (prefix: string): string => `CREATE TABLE ${prefix}subscriptions (
  id BINARY(16) NOT NULL PRIMARY KEY,
  first_position BIGINT NOT NULL
) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;
