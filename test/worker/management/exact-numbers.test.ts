import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/client.ts";
import { AGENT, headersOf, MCP, message, newAgent } from "../support/mcp.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { newFlag, newWorld, setStrategy } from "../support/world.ts";

/** The number 2^53 + 1, which no double holds. */
const LONG = "9007199254740993";
const NEIGHBOUR = "9007199254740992";

let world: Awaited<ReturnType<typeof newWorld>>;

beforeAll(async () => {
  world = await newWorld();
});

/** Sends a body in which the text `"NUMBER"` is a number of these digits. */
const withNumber = (body: object, digits: string) =>
  JSON.stringify(body).replaceAll('"NUMBER"', digits);

const flagBody = (valueType: string, value: unknown) => ({
  key: `limit-${valueType}`,
  name: "Limit",
  flagType: "RELEASE",
  projectId: world.projectId,
  valueType,
  variants: [{ key: "v", value }],
});

describe("a number in a request that would be rounded", () => {
  it.each([
    ["number", "NUMBER"],
    ["json", { limits: ["NUMBER"] }],
  ])("is 400 in a value of the type %s, and the error repeats the number", async (type, value) => {
    const body = withNumber(flagBody(type, value), LONG);
    const answer = await asAdmin("POST", "/api/v1/flags", body);
    expect(outcome(answer)).toBe("400 BAD_REQUEST");
    expect(answer.body.error).toContain(LONG);
    const sound = withNumber(flagBody(type, value), NEIGHBOUR);
    expect((await asAdmin("POST", "/api/v1/flags", sound)).status).toBe(201);
  });

  it.each(["0.12345678901234567891", "1e-400", "-9007199254740993", "12345678901234567890e3"])(
    "is 400 in the file of a plan: %s",
    async (digits) => {
      const file = { version: 1, flags: { a: { valueType: "number", variants: { v: "NUMBER" } } } };
      const body = withNumber({ file }, digits);
      const answer = await asAdmin("POST", `/api/v1/projects/${world.projectId}/plan`, body);
      expect(outcome(answer)).toBe("400 BAD_REQUEST");
      expect(answer.body.error).toContain(digits);
    },
  );

  it("is 400 in a message of an agent", async () => {
    const { token } = await newAgent({ projectIds: [world.projectId] });
    const input = { flag: "a", context: { id: "NUMBER" } };
    const sent = message("tools/call", { name: "explain_flag", arguments: input }, AGENT);
    const headers = headersOf("tools/call", "explain_flag");
    const body = withNumber(sent, LONG);
    expect((await call("POST", MCP, { token, headers, body })).status).toBe(400);
  });

  it("is accepted inside of a text", async () => {
    const { id } = await newFlag(world.projectId);
    const description = `Numbers such as \\" ${LONG}, "${LONG}`;
    const answer = await asAdmin("PUT", `/api/v1/flags/${id}`, { description });
    expect(answer.body.description).toBe(description);
  });
});

describe("an id of 64 bits in a context", () => {
  const targets = ["evaluate", "OFREP", "Unleash"] as const;

  beforeAll(async () => {
    const { projectId, environmentId } = world;
    const { id } = await newFlag(projectId, { key: "only-one" });
    const constraint = { field: "id", operator: "equals", values: [LONG], contextType: "number" };
    await setStrategy(id, { environmentId, enabled: true, constraints: [constraint] });
  });

  const isOn = async (target: (typeof targets)[number], digits: string): Promise<boolean> => {
    const options = {
      token: world.apiKey,
      body: withNumber({ context: { id: "NUMBER" } }, digits),
    };
    if (target === "evaluate")
      return (await call("POST", "/api/client/evaluate", options)).body.evaluations["only-one"]
        .enabled;
    if (target === "OFREP")
      return (await call("POST", "/ofrep/v1/evaluate/flags/only-one", options)).body.value;
    const { body } = await call("POST", "/api/unleash/frontend", options);
    return body.toggles.length > 0;
  };

  it.each(
    targets.flatMap((target) => [
      [target, LONG],
      [target, `"${LONG}"`],
    ]),
  )("equals itself, and not its neighbour (%s, %s)", async (target, digits) => {
    const one = targets.find((known) => known === target);
    expect(await isOn(one ?? "evaluate", digits)).toBe(true);
    expect(await isOn(one ?? "evaluate", digits.replace(LONG, NEIGHBOUR))).toBe(false);
  });
});
