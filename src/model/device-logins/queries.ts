import { and, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import { type ReadDb, write } from "../../db/database.ts";
import { users } from "../../db/schema/people.ts";
import { deviceLogins } from "../../db/schema/tokens.ts";
import { type Unaudited, unaudited } from "../../db/unaudited.ts";
import { userColumns } from "../auth/queries.ts";

export type DeviceLoginRow = typeof deviceLogins.$inferSelect;

/** Returns the login with this user code that waits for a decision; undefined if there is none. */
export async function findWaiting(
  db: ReadDb,
  userCodeHash: string,
  now: number,
): Promise<DeviceLoginRow | undefined> {
  const rows = await db
    .select()
    .from(deviceLogins)
    .where(
      and(
        eq(deviceLogins.userCodeHash, userCodeHash),
        gt(deviceLogins.expiresAt, now),
        isNull(deviceLogins.decision),
      ),
    );
  return rows[0];
}

/**
 * Returns the login of a device that has not expired, with the user who has decided; undefined if there
 * is none.
 */
export async function findOfDevice(db: ReadDb, deviceHash: string, now: number) {
  const rows = await db
    .select({ login: deviceLogins, user: userColumns })
    .from(deviceLogins)
    .leftJoin(users, eq(users.id, deviceLogins.decidedBy))
    .where(and(eq(deviceLogins.deviceHash, deviceHash), gt(deviceLogins.expiresAt, now)));
  return rows[0];
}

/** How many logins can be open at a time. */
interface Limits {
  readonly ofNetwork: number;
  /** Of all networks together, without those that a user has opened. */
  readonly all: number;
}

type NewDeviceLogin = Pick<
  DeviceLoginRow,
  | "deviceHash"
  | "userCodeHash"
  | "clientName"
  | "ip"
  | "userAgent"
  | "network"
  | "createdAt"
  | "expiresAt"
>;

/**
 * The statement that inserts a login and returns its id. Returns no row if too many logins of the
 * network have not expired, or if a login has the same user code.
 */
export const insertLogin = (login: NewDeviceLogin, { ofNetwork }: Limits): Unaudited =>
  unaudited(sql`INSERT INTO device_logins (device_hash, user_code_hash, client_name, ip, user_agent, network,
      created_at, expires_at)
    SELECT ${login.deviceHash}, ${login.userCodeHash}, ${login.clientName}, ${login.ip},
      ${login.userAgent}, ${login.network}, ${login.createdAt}, ${login.expiresAt}
    WHERE (SELECT count(*) FROM device_logins
        WHERE network = ${login.network} AND expires_at > ${login.createdAt}) < ${ofNetwork}
    ON CONFLICT DO NOTHING RETURNING id`);

/** The condition for the logins that nobody has opened in a browser. `now`: epoch milliseconds. */
const isUnopened = (now: number): SQL =>
  sql`decision IS NULL AND decided_by IS NULL AND expires_at > ${now}`;

/**
 * The statement that gives up one login if more than `all` are unopened after the insert of a login: the
 * oldest of the network with the most. So somebody with many addresses loses their own logins first. The
 * row stays until the login expires, because it still counts for its network.
 */
export const giveUpOne = (
  { deviceHash, createdAt: now }: Pick<NewDeviceLogin, "deviceHash" | "createdAt">,
  { all }: Limits,
): Unaudited =>
  unaudited(sql`UPDATE device_logins SET decision = 'denied' WHERE id = (
    SELECT id FROM device_logins
      WHERE ${isUnopened(now)} AND network IS (SELECT network FROM device_logins
        WHERE ${isUnopened(now)} GROUP BY network ORDER BY count(*) DESC, min(id) LIMIT 1)
      ORDER BY id
      LIMIT iif(EXISTS (SELECT 1 FROM device_logins WHERE device_hash = ${deviceHash}),
        (SELECT count(*) FROM device_logins WHERE ${isUnopened(now)}) > ${all}, 0))`);

/**
 * The statement that notes that a user has opened a login, which is not given up then. A user keeps only
 * the login that was opened last, so that nobody can keep many.
 */
export const markOpened = (id: number, userId: number): Unaudited =>
  unaudited(sql`UPDATE device_logins SET decided_by = iif(id = ${id}, ${userId}, NULL)
    WHERE decision IS NULL AND (id = ${id} AND decided_by IS NULL OR decided_by = ${userId})`);

export const markPolled = (id: number, now: number) =>
  unaudited(write.update(deviceLogins).set({ polledAt: now }).where(eq(deviceLogins.id, id)));

export const decide = (
  id: number,
  decision: Pick<
    typeof deviceLogins.$inferInsert,
    "decision" | "decidedBy" | "scopes" | "projectIds" | "environmentIds"
  >,
) => write.update(deviceLogins).set(decision).where(eq(deviceLogins.id, id));

export const deleteLogin = (id: number) =>
  write.delete(deviceLogins).where(eq(deviceLogins.id, id));

/** Guard: fails if somebody has decided about the login since it was read. */
export const isWaiting = (id: number): SQL =>
  sql`EXISTS (SELECT 1 FROM device_logins WHERE id = ${id} AND decision IS NULL)`;

/** Guard: fails if another request of the device has taken the token since the login was read. */
export const isThere = (id: number): SQL =>
  sql`EXISTS (SELECT 1 FROM device_logins WHERE id = ${id})`;

/** Guard: fails if the user is not active. */
export const isActive = (userId: number): SQL =>
  sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND status = 'ACTIVE')`;
