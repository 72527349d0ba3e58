import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  oneof,
  option,
  record,
  tuple,
} from "fast-check";
import { describe, expect, it } from "vitest";
import { differences, pathOf } from "@feature-flags/file/diff";
import type {
  FileConstraint,
  FileRule,
  FileServe,
  FileStrategy,
  FlagsFile,
} from "@feature-flags/file/file";
import { normalForm, fileText } from "@feature-flags/file/normal";
import { resolveFile } from "@feature-flags/file/resolve";
import { shortFile } from "@feature-flags/file/short";
import { shortSplit, splitOf } from "@feature-flags/file/splits";
import { reweight, slotsOf, type Weights, weightsOf } from "@feature-flags/evaluation/slots";

const VARIANTS = ["blue", "red", "teal"];

const file = (strategy: FileStrategy): FlagsFile => ({
  version: 1,
  project: "shop",
  flags: {
    colour: {
      flagType: "RELEASE",
      valueType: "string",
      variants: VARIANTS.map((key) => ({ key, value: key })),
      environments: { production: strategy },
    },
  },
});

const resolved = async (wanted: FileStrategy, current: FileStrategy) => {
  const { file: result, warnings } = await resolveFile(file(wanted), file(current));
  return { strategy: result.flags?.["colour"]?.environments?.["production"] ?? {}, warnings };
};

const slotsIn = ({ serve }: FileStrategy) => (serve && "slots" in serve ? serve.slots : undefined);
const idsIn = ({ rules = [] }: FileStrategy) => rules.map(({ id }) => id);

const HALVES: Weights = [
  ["blue", 50],
  ["red", 50],
];
/** The slots of a split with a history: red has grown and shrunk again. */
const MOVED = reweight(
  reweight(
    slotsOf([
      ["blue", 70],
      ["red", 30],
    ]),
    HALVES,
  ),
  [
    ["blue", 60],
    ["red", 20],
    ["teal", 20],
  ],
);
const MOVED_WEIGHTS = Object.fromEntries(weightsOf(MOVED));

const weights = tuple(integer({ min: 0, max: 100_000 }), integer({ min: 0, max: 100_000 })).map(
  ([a, b]): Weights => {
    const [low, high] = [Math.min(a, b), Math.max(a, b)];
    const sizes: Weights = [
      ["blue", low / 1000],
      ["red", (high - low) / 1000],
      ["teal", (100_000 - high) / 1000],
    ];
    return sizes.filter(([, percent]) => percent > 0);
  },
);

/** Slots as a split has them after several changes of its weights. */
const history = array(weights, { minLength: 1, maxLength: 6 }).map(([first = HALVES, ...more]) =>
  more.reduce(reweight, slotsOf(first)),
);

describe("the slots of a split", () => {
  it("are stored exactly if they fit the weights", async () => {
    const serve: FileServe = { weights: MOVED_WEIGHTS, slots: MOVED };
    const { strategy, warnings } = await resolved(
      { serve },
      { serve: { weights: { blue: 50, red: 50 } } },
    );
    expect(slotsIn(strategy)).toEqual(MOVED);
    expect(warnings).toEqual([]);
  });

  it("follow from those that the service has if the file has none", async () => {
    const current = { serve: { weights: MOVED_WEIGHTS, slots: MOVED } };
    const { strategy } = await resolved({ serve: { weights: { blue: 50, red: 50 } } }, current);
    expect(slotsIn(strategy)).toEqual(reweight(MOVED, HALVES));
  });

  it("of a new split are those of its weights", async () => {
    const { strategy } = await resolved(
      { serve: { weights: { blue: 50, red: 50 } } },
      { serve: { variant: "blue" } },
    );
    expect(slotsIn(strategy)).toEqual(slotsOf(HALVES));
  });

  it("follow from those of the service if only the weights in the file were edited", async () => {
    const wanted: FileServe = { weights: { blue: 50, red: 50 }, slots: MOVED };
    const { strategy, warnings } = await resolved(
      { serve: wanted },
      { serve: { weights: { blue: 100 } } },
    );
    expect(slotsIn(strategy)).toEqual(reweight(slotsOf([["blue", 100]]), HALVES));
    expect(warnings.map(({ path }) => path)).toEqual([
      "/flags/colour/environments/production/serve/slots",
    ]);
    const fresh = await resolved({ serve: wanted }, {});
    expect(slotsIn(fresh.strategy)).toEqual(reweight(MOVED, HALVES));
  });

  it("survive an export and an apply to another service, after any history", async () => {
    await assert(
      asyncProperty(history, async (slots) => {
        const serve = { weights: Object.fromEntries(weightsOf(slots)), slots };
        const { strategy } = await resolved({ serve: shortSplit(serve, VARIANTS) }, {});
        expect(slotsIn(strategy)).toEqual(slots);
      }),
    );
  });
});

const staff: FileRule = { segments: ["staff"], serve: { variant: "red" } };
const beta: FileRule = { segments: ["beta"], serve: { weights: { blue: 50, red: 50 } } };
const CURRENT: FileStrategy = {
  rules: [
    { id: "a", name: "Staff", ...staff },
    { id: "b", ...beta, serve: { weights: MOVED_WEIGHTS, slots: MOVED } },
  ],
};

describe("the ids of rules", () => {
  it("keep the id and the slots of a rule that is moved", async () => {
    const moved: FileRule = { ...beta, serve: { weights: MOVED_WEIGHTS } };
    const { strategy, warnings } = await resolved(
      { rules: [moved, { name: "Staff", ...staff }] },
      CURRENT,
    );
    expect(idsIn(strategy)).toEqual(["b", "a"]);
    expect(strategy.rules?.[0]?.serve).toEqual({ weights: MOVED_WEIGHTS, slots: MOVED });
    expect(warnings).toEqual([]);
  });

  it("follow from the name if only one rule has it", async () => {
    const { strategy } = await resolved({ rules: [{ name: "Staff", percentage: 5 }] }, CURRENT);
    expect(idsIn(strategy)).toEqual(["a"]);
    const twice = await resolved(
      {
        rules: [
          { name: "Staff", percentage: 5 },
          { name: "Staff", percentage: 6 },
        ],
      },
      CURRENT,
    );
    expect(idsIn(twice.strategy)).not.toContain("a");
  });

  it("are adopted if the service does not have them", async () => {
    const { strategy } = await resolved({ rules: [{ id: "from-elsewhere", ...staff }] }, CURRENT);
    expect(idsIn(strategy)).toEqual(["from-elsewhere"]);
  });

  it("of new rules are the same in every plan, and differ for equal rules", async () => {
    const rules = [staff, staff, { ...staff, percentage: 100 }];
    const [one, two] = [await resolved({ rules }, {}), await resolved({ rules }, {})];
    expect(idsIn(one.strategy)).toEqual(idsIn(two.strategy));
    expect(new Set(idsIn(one.strategy)).size).toBe(3);
    expect(idsIn(one.strategy).every((id) => /^[a-z0-9]{10}$/.test(id ?? ""))).toBe(true);
  });

  it("of an edited rule without an id and a name are new, with a warning", async () => {
    const { strategy, warnings } = await resolved({ rules: [{ ...beta, percentage: 5 }] }, CURRENT);
    expect(idsIn(strategy)).not.toContain("b");
    expect(warnings.map(({ path }) => path)).toEqual([
      "/flags/colour/environments/production/rules/0",
    ]);
  });
});

describe("the difference of two files", () => {
  const changed = (wanted: FileStrategy, current: FileStrategy) =>
    differences(file(wanted), file(current)).map((one) =>
      Object.assign(one, { path: pathOf(one) }),
    );

  it("has the fields whose values differ, and none that the file leaves out", () => {
    const found = changed({ enabled: true, percentage: 5 }, { percentage: 5, hashKey: "a" });
    expect(found).toMatchObject([
      { path: "/flags/colour/environments/production/enabled", before: false, after: true },
    ]);
  });

  it("is empty for values that mean the same", () => {
    const wanted: FileStrategy = {
      percentage: 100,
      stickiness: null,
      serve: { variant: "blue" },
      constraints: [{ field: "a", operator: "in", values: ["b"], inverted: false }],
      rules: [],
    };
    const current: FileStrategy = {
      constraints: [{ field: "a", operator: "in", values: ["b"], contextType: "string" }],
    };
    expect(changed(wanted, current)).toEqual([]);
  });

  it("ignores the order of tags and of the values of contexts, but not that of constraints", () => {
    const [a, b] = [
      { field: "a", operator: "exists" },
      { field: "b", operator: "exists" },
    ];
    const one: FlagsFile = {
      version: 1,
      project: "shop",
      contexts: { plan: { values: ["free", "pro"] } },
      segments: { staff: { constraints: [a, b] } },
      flags: { cart: { flagType: "RELEASE", tags: ["x", { name: "y", value: "y" }] } },
    };
    const other: FlagsFile = {
      version: 1,
      project: "shop",
      contexts: { plan: { values: [{ value: "pro" }, "free"] } },
      segments: { staff: { constraints: [b, a] } },
      flags: { cart: { flagType: "RELEASE", tags: ["y", "x"] } },
    };
    expect(differences(one, other).map(pathOf)).toEqual(["/segments/staff/constraints"]);
  });

  it("distinguishes no off variant from the default", () => {
    const off = (offVariant?: string | null): FlagsFile => ({
      version: 1,
      project: "shop",
      flags: { cart: { flagType: "RELEASE", offVariant } },
    });
    expect(differences(off("off"), off())).toEqual([]);
    expect(differences(off("off"), off(null))).toMatchObject([{ before: null, after: "off" }]);
  });

  it("has a new flag as a whole", () => {
    const empty: FlagsFile = { version: 1, project: "shop" };
    expect(differences(file({ enabled: true }), empty)).toMatchObject([
      { kind: "flag", key: "colour", after: { valueType: "string" } },
    ]);
  });
});

describe("a short file", () => {
  const text = option(constantFrom("userId", "x"), { nil: null });
  const activation = {
    percentage: integer({ min: 0, max: 100_000 }).map((n) => n / 1000),
    constraints: constantFrom<readonly FileConstraint[]>(
      [],
      [{ field: "a", operator: "in", values: ["b"], contextType: "string" }],
      [{ field: "a", operator: "exists", contextType: "number", inverted: true }],
    ),
    segments: constantFrom<readonly string[]>([], ["staff"]),
    stickiness: text,
    hashKey: text,
    serve: oneof(
      constantFrom(...VARIANTS).map((variant): FileServe => ({ variant })),
      history.map((slots): FileServe => splitOf(slots, VARIANTS)),
    ),
    splitKey: text,
    splitStickiness: text,
  };
  const strategy = record({
    enabled: boolean(),
    ...activation,
    rules: array(record({ id: constantFrom("a", "b"), name: text, ...activation }), {
      maxLength: 1,
    }),
  });

  it("means the same as the file with all fields", async () => {
    await assert(
      asyncProperty(strategy, async (full) => {
        const options = {
          isOwned: () => false,
          omit: new Set<string>(),
          newFlagClients: "all",
        } as const;
        const short = shortFile(file(full), options);
        const { file: back } = await resolveFile(short, file({}));
        expect(differences(file(full), back)).toEqual([]);
        expect(differences(back, file(full))).toEqual([]);
        expect(fileText(shortFile(back, options))).toBe(fileText(short));
      }),
    );
  });
});

describe("the normal form", () => {
  it("orders fields as the schema and names by code points, and keeps lists and values", () => {
    const text = fileText({
      flags: {
        "10": { flagType: "RELEASE" },
        "\u{1F600}": { flagType: "RELEASE" },
        "\uFFFD": { flagType: "RELEASE" },
        "9": {
          flagType: "RELEASE",
          variants: [{ value: { z: 1, a: 2 }, key: "x" }],
          tags: ["z", "a"],
          name: "Nine",
        },
      },
      project: "shop",
      version: 1,
    });
    expect(text).toBe(
      '{"version":1,"project":"shop","flags":{"10":{"flagType":"RELEASE"},' +
        '"9":{"name":"Nine","flagType":"RELEASE","tags":["z","a"],"variants":[{"key":"x","value":{"z":1,"a":2}}]},' +
        '"\uFFFD":{"flagType":"RELEASE"},"\u{1F600}":{"flagType":"RELEASE"}}}',
    );
  });

  it("does not depend on the order in which fields are given", () => {
    const one = file({ enabled: true, percentage: 5 });
    expect(normalForm(file({ percentage: 5, enabled: true }))).toEqual(normalForm(one));
    expect(fileText(file({ percentage: 5, enabled: true }))).toBe(fileText(one));
  });
});
