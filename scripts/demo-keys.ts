import { ENVIRONMENTS, EVALUATION, KEY_NAMES, KEY_TYPES, type DemoKeyType } from "./demo-data.ts";
import { send, type Session } from "./lib/api.ts";
import { type DemoKey, type DemoRecord, saveDemo } from "./lib/demo-file.ts";
import { inOrder } from "./lib/in-order.ts";

/**
 * The environment of the API keys in the printed curl commands. Its flags have percentages and
 * constraints.
 */
const SHOWN = "production";

interface Environment {
  readonly id: number;
  readonly name: string;
}

const environmentsOf = (session: Session, record: DemoRecord) =>
  session.get<Environment[]>(`/environments?projectId=${record.projectId}`);

/**
 * Creates one API key of each type for each environment that has none of this type. Saves each key
 * in the demo file before creating the next key. An existing key that the demo file does not
 * contain belongs to a user and stays unchanged.
 */
export async function createKeys(
  session: Session,
  file: string,
  record: DemoRecord,
): Promise<DemoRecord> {
  const environments = await environmentsOf(session, record);
  const existing = await session.get<{ environmentId: number; keyType: DemoKeyType }[]>(
    `/api-keys?projectId=${record.projectId}`,
  );
  const wanted = environments
    .filter(({ name }) => (ENVIRONMENTS as readonly string[]).includes(name))
    .flatMap((environment) => KEY_TYPES.map((keyType) => ({ environment, keyType })));
  let current = record;
  await inOrder(wanted, async ({ environment, keyType }) => {
    const isThere = (key: (typeof existing)[number]) =>
      key.environmentId === environment.id && key.keyType === keyType;
    if (existing.some(isThere)) return;
    current = await createKey({ session, file, record: current }, environment, keyType);
  });
  return current;
}

export interface ShownKeys {
  readonly server: string;
  readonly frontend: string;
}

/**
 * Returns working API keys for the printed curl commands. Replaces a revoked or lost key when an
 * administrator is signed in. Returns undefined when a key cannot be replaced.
 */
export async function workingKeys(
  session: Session | undefined,
  address: string,
  file: string,
  record: DemoRecord,
): Promise<ShownKeys | undefined> {
  let current = record;
  const keys = await inOrder(KEY_TYPES, async (keyType) => {
    const known = findKey(current, SHOWN, keyType);
    if (known && (await isAlive(address, known))) return known.apiKey;
    if (!session) return undefined;
    const environments = await environmentsOf(session, current);
    const environment = environments.find(({ name }) => name === SHOWN);
    if (!environment) return undefined;
    current = await createKey({ session, file, record: current }, environment, keyType);
    return findKey(current, SHOWN, keyType)?.apiKey;
  });
  const [server, frontend] = keys;
  return server !== undefined && frontend !== undefined ? { server, frontend } : undefined;
}

const findKey = (record: DemoRecord, environment: string, keyType: DemoKeyType) =>
  record.keys.find((key) => key.environment === environment && key.keyType === keyType);

async function isAlive(address: string, { apiKey }: DemoKey): Promise<boolean> {
  const url = `${address}/api/client/evaluate`;
  const { status } = await send(url, { method: "POST", body: EVALUATION, token: apiKey });
  return status !== 401;
}

interface Demo {
  readonly session: Session;
  readonly file: string;
  readonly record: DemoRecord;
}

/** Creates an API key and saves it in the demo file. Returns the new content of the file. */
async function createKey(
  { session, file, record }: Demo,
  environment: Environment,
  keyType: DemoKeyType,
): Promise<DemoRecord> {
  const { apiKey } = await session.post<{ apiKey: string }>("/api-keys", {
    name: KEY_NAMES[keyType],
    keyType,
    environmentId: environment.id,
  });
  const isOther = (key: DemoKey) => key.environment !== environment.name || key.keyType !== keyType;
  const keys = [...record.keys.filter(isOther), { environment: environment.name, keyType, apiKey }];
  return saveDemo(file, { ...record, keys });
}
