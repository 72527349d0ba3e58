import type { Session } from "../../scripts/lib/api.ts";
import { type Kind, newProject, type Sent, times, type World } from "./kind.ts";
import { inOrder } from "../../scripts/lib/in-order.ts";

/** How many environments hold the rules of the largest project: 16 MB, at most 2 MB in each. */
const FULL = 8;
/** The number of flags whose rules fill an environment, and how many values each has. */
const FLAGS = 7;
const VALUES = 42_000;
/** The most flags and environments of a project. */
const MANY = { flags: 5000, environments: 50 };

const text = (n: number) => n.toString(36).padStart(3, "0");
const environmentOf = (n: number) => (n === 0 ? "production" : `e${n}`);
const keyOf = (n: number) => `f${text(n)}`;

/** Adds environments to a project, until it has so many. */
async function withEnvironments(session: Session, world: World, count: number): Promise<World> {
  await inOrder(times(count - 1, Number), (n) =>
    session.post("/environments", { name: environmentOf(n + 1), projectId: world.projectId }),
  );
  return world;
}

/** Returns 50 constraints that take as many bytes as a strategy may have, of many small values. */
const constraints = (inverted: boolean) =>
  times(50, (one) => ({
    field: `f${one}`,
    operator: "in",
    values: times(VALUES / 50, (n) => text(one * 840 + n)),
    ...(inverted && { inverted }),
  }));

interface Flags {
  readonly count: number;
  readonly strategies: (n: number) => Readonly<Record<string, object>>;
  /** The fields of a flag besides its strategies. */
  readonly fields?: object;
}

const fileOf = (project: string, { count, strategies, fields }: Flags) => ({
  version: 1,
  project,
  flags: Object.fromEntries(
    times(count, (n) => [
      keyOf(n),
      { name: "f", flagType: "RELEASE", ...fields, environments: strategies(n) },
    ]),
  ),
});

/** Returns the flags of the largest project, with their rules in some environments. */
const large = (project: string, environments: readonly number[], inverted: boolean) => {
  const strategy = { enabled: true, constraints: constraints(inverted) };
  const strategies = Object.fromEntries(environments.map((n) => [environmentOf(n), strategy]));
  return fileOf(project, { count: FLAGS, strategies: () => strategies });
};

/** Returns the requests that plan and apply a file. */
class Project {
  readonly #session: Session;
  readonly path: string;

  constructor(session: Session, { projectId }: World) {
    this.#session = session;
    this.path = `/projects/${projectId}`;
  }

  #post(verb: string, file: object, headers: Sent["headers"] = {}): Omit<Sent, "name"> {
    const path = `/api/v1${this.path}/${verb}`;
    const { token } = this.#session;
    return { method: "POST", path, token, body: JSON.stringify({ file }), headers };
  }

  async #idOf(file: object): Promise<string> {
    return (await this.#session.post<{ id: string }>(`${this.path}/plan`, { file })).id;
  }

  /** Applies a file. Throws: an Error for an error status. */
  async apply(file: object): Promise<void> {
    const headers = { "If-Match": `"${await this.#idOf(file)}"` };
    await this.#session.call("POST", `${this.path}/apply`, { file }, headers);
  }

  exported(name: string): Sent {
    const path = `/api/v1${this.path}/export`;
    return { name: `export, ${name}`, path, token: this.#session.token };
  }

  planned(name: string, file: object): Sent {
    return { name: `plan, ${name}`, ...this.#post("plan", file) };
  }

  async applied(name: string, file: object): Promise<Sent> {
    const id = await this.#idOf(file);
    return { name: `apply, ${name}`, ...this.#post("apply", file, { "If-Match": `"${id}"` }) };
  }
}

/** Returns the prerequisites of the flag with the index `n`: the ten flags after it, in a circle or not. */
const tenAfter = (n: number, isCircle: boolean) =>
  times(10, (one) => n + one + 1)
    .filter((other) => isCircle || other < MANY.flags)
    .map((other) => ({ flagKey: keyOf(other % MANY.flags) }));

/** Returns 5,000 flags of which each requires ten others. */
const linked = (project: string, isCircle: boolean) => ({
  version: 1,
  project,
  flags: Object.fromEntries(
    times(MANY.flags, (n) => [
      keyOf(n),
      { name: "f", flagType: "RELEASE", prerequisites: tenAfter(n, isCircle) },
    ]),
  ),
});

/** Plans of as many prerequisites as a project may have. */
export const cycles: Kind = {
  name: "cycles",
  create: async (session, world) => {
    const project = new Project(session, world);
    const circle = linked("cycles", true);
    const operations = Object.entries(linked("cycles", false).flags)
      .slice(-200)
      .map(([key, flag]) => ({ kind: "flag.create", input: { ...flag, key } }));
    const { projectId } = world;
    const { token } = session;
    return [
      project.planned("5,000 flags in a circle", circle),
      project.planned("5,000 flags in a chain", linked("cycles", false)),
      {
        name: "operations, 200 flags in a chain",
        method: "POST",
        path: "/api/v1/operations",
        token,
        body: JSON.stringify({ projectId, dryRun: true, operations }),
      },
      await project.applied("5,000 flags in a chain", linked("cycles", false)),
    ];
  },
};

/** Plans, applies and exports of the largest files and projects. */
export const files: Kind = {
  name: "files",
  create: async (session, world) => {
    await withEnvironments(session, world, FULL);
    const full = new Project(session, world);
    await inOrder(times(FULL, Number), async (n) => full.apply(large("files", [n], false)));
    const many = await newProject(session, "many");
    await withEnvironments(session, many, MANY.environments);
    const tiny = (environments: number) => {
      const strategies = Object.fromEntries(
        times(environments, (n) => [environmentOf(n), { enabled: true }]),
      );
      return fileOf("many", { count: MANY.flags, strategies: () => strategies });
    };
    const project = new Project(session, many);
    const name = "5,000 flags";
    return [
      full.exported("16 MB"),
      full.planned("8 MB", large("files", [0, 1, 2, 3], true)),
      await full.applied("4 MB", large("files", [0, 1], true)),
      project.planned(`${name} in 50 environments`, tiny(50)),
      project.planned(`${name} in 2 environments`, tiny(2)),
      await project.applied(`${name} in 2 environments`, tiny(2)),
      project.exported(`${name} in 2 environments`),
    ];
  },
};
