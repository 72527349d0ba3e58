import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FileRule, FlagsFile } from "@feature-flags/file/file";
import { afterAll, describe, expect, it } from "vitest";
import { loadFile, placeOf } from "../src/file/load.ts";
import { partsOf } from "../src/file/parts.ts";
import { updateFile } from "../src/file/update.ts";
import { yamlOf } from "../src/file/yaml-text.ts";

const folder = mkdtempSync(path.join(tmpdir(), "feature-flags-file-"));
afterAll(() => rmSync(folder, { recursive: true }));

const written = (name: string, text: string): string => {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};

const FILE = `version: 1
project: shop
# The flags of the shop.
flags:
  cart: { name: Cart, flagType: KILLSWITCH }
  colour:
    name: Colour # as customers read it
    flagType: RELEASE
    valueType: string
    variants:
      - { key: blue, value: "#11c" }
      - { key: red, value: "#e33" } # wanted by marketing
    environments:
      production:
        enabled: true
        percentage: 12.5 # see OPS-1
        serve: { weights: { blue: 50, red: 50 } }
`;

describe("a file with flags", () => {
  it("has the place of each value", () => {
    const file = written("flags.yaml", FILE);
    const place = (pointer: string) => {
      const { line, column } = placeOf(loadFile(file), pointer);
      return [line, column];
    };
    expect(place("/flags/colour/environments/production/percentage")).toEqual([16, 9]);
    expect(place("/flags/colour/variants/1/value")).toEqual([12, 21]);
    expect(place("/flags/cart/description")).toEqual([5, 3]);
    expect(place("/segments")).toEqual([1, 1]);
  });

  it.each([
    ["a repeated key", "flags:\n  a: {}\n  a: {}\n", /:5:3 .*unique/],
    [
      "a number that would be rounded",
      "flags:\n  a: 9007199254740993\n",
      /:4:6 9007199254740993 would be rounded/,
    ],
    ["a file of YAML 1.1", "%YAML 1.1\n---\nflags: {}\n", /:1:1 .*YAML 1\.2/],
    ["a tag of YAML that has no meaning here", "project: !!js/function x\n", /:2:\d+ .*tag/i],
    [
      "an unknown field",
      "flags:\n  a: { flagType: RELEASE, nmae: A }\n",
      /:4:\d+ \/flags\/a\/nmae/,
    ],
    ["a number where a text is expected", "project: 12\n", /:2:1 \/project must be a text/],
    ["no mapping", "- a\n", /must be an object|mapping/],
  ])("is refused with the line for %s", (_, text, message) => {
    const start = text.startsWith("project") ? "version: 1\n" : "version: 1\nproject: shop\n";
    const file = written("wrong.yaml", /^[-%]/.test(text) ? text : `${start}${text}`);
    expect(() => loadFile(file)).toThrow(message);
  });

  it("is refused as a YAML bomb", () => {
    const levels = Array.from({ length: 9 }, (_, n) => {
      const items = n === 0 ? "x" : Array.from({ length: 9 }, () => `*l${n - 1}`).join(", ");
      return `l${n}: &l${n} [${items}]`;
    });
    expect(() => loadFile(written("bomb.yaml", levels.join("\n")))).toThrow(/alias/i);
  });

  it("can be a folder whose documents do not have the same flag twice", () => {
    const head = "version: 1\nproject: shop\nflags:\n";
    written("parts/a.yaml", `${head}  a: { flagType: RELEASE }\n`);
    const second = written("parts/b.yml", `${head}  b: { flagType: RELEASE }\n`);
    const loaded = loadFile(path.join(folder, "parts"));
    expect(Object.keys(loaded.value.flags ?? {})).toEqual(["a", "b"]);
    expect(placeOf(loaded, "/flags/b/flagType")).toEqual({ file: second, line: 4, column: 8 });
    written("parts/c.yaml", `${head}  a: { flagType: RELEASE }\n`);
    expect(() => loadFile(path.join(folder, "parts"))).toThrow(/c\.yaml flags a/);
  });
});

describe("an update of a file from its project", () => {
  const project: FlagsFile = {
    version: 1,
    project: "shop",
    flags: {
      colour: {
        name: "Color",
        flagType: "RELEASE",
        valueType: "string",
        variants: [
          { key: "blue", value: "#11c" },
          { key: "red", value: "#f00" },
        ],
        description: "Not in the file",
        environments: {
          production: { percentage: 25, serve: { weights: { blue: 50, red: 50 } } },
        },
      },
    },
  };

  it("changes the fields that differ, and keeps comments, order and everything else", () => {
    const loaded = loadFile(written("flags.yaml", FILE));
    const { texts, ...updated } = updateFile(loaded, project);
    expect(updated).toEqual({
      changed: [
        "/flags/colour/name",
        "/flags/colour/variants",
        "/flags/colour/environments/production/enabled",
        "/flags/colour/environments/production/percentage",
      ],
      missing: ["/flags/cart"],
    });
    expect([...texts.values()]).toEqual([
      FILE.replace("name: Colour #", "name: Color #")
        .replace('"#e33"', '"#f00"')
        .replace("enabled: true", "enabled: false")
        .replace("12.5 #", "25 #"),
    ]);
  });

  it("replaces what a strategy serves as a whole", () => {
    const loaded = loadFile(written("flags.yaml", FILE));
    const strategy = { enabled: true, percentage: 12.5, serve: { variant: "red" } };
    const flags = {
      colour: { ...project.flags?.["colour"], environments: { production: strategy } },
    };
    const isServe = (pointer: string) => pointer.endsWith("/serve");
    const { texts } = updateFile(loaded, { ...project, flags } as FlagsFile, isServe);
    expect([...texts.values()]).toEqual([expect.stringContaining("serve: { variant: red }")]);
  });
});

describe("an update of rules", () => {
  const slots = [
    ["on", 0, 30_000],
    ["off", 30_000, 100_000],
  ] as never;
  const FILE_WITH_RULES = `version: 1
project: shop
flags:
  banner:
    flagType: RELEASE
    tags: [checkout,web]
    environments:
      production:
        rules:
          - name: Staff
            percentage: 100
            segments: [staff]
          # half of the others
          - {percentage: 50, constraints: [{field: country, operator: in, values: [DE,FR]}]}
`;
  const constraints = [{ field: "country", operator: "in", values: ["DE", "FR"] }];
  const updated = (rules: readonly FileRule[], more: object = {}) => {
    const production = { rules };
    const flag = { flagType: "RELEASE" as const, environments: { production }, ...more };
    const flags = { banner: { name: "Banner", tags: ["web", "checkout"], ...flag } };
    const loaded = loadFile(written("rules.yaml", FILE_WITH_RULES));
    const { changed, texts } = updateFile(loaded, { version: 1, project: "shop", flags });
    return { changed, text: [...texts.values()][0] ?? FILE_WITH_RULES };
  };
  const staff = { id: "staff-1", name: "Staff", segments: ["staff"] };

  it("changes nothing for ids and defaults that only one side names, and for another order of tags", () => {
    const half = { id: "half-1", percentage: 50, constraints };
    expect(updated([staff, half])).toEqual({ changed: [], text: FILE_WITH_RULES });
  });

  it("changes the percentage of one rule, and adds no id and no slots", () => {
    const serve = { weights: { on: 30, off: 70 }, slots };
    const text = FILE_WITH_RULES.replace(
      "percentage: 100",
      "percentage: 100\n            serve: { weights: { on: 50, off: 50 } }",
    );
    const loaded = loadFile(written("rules.yaml", text));
    const rules = [
      { ...staff, percentage: 20, serve },
      { id: "half-1", percentage: 50, constraints },
    ];
    const flags = {
      banner: {
        flagType: "RELEASE" as const,
        tags: ["checkout", "web"],
        environments: { production: { rules } },
      },
    };
    const { texts } = updateFile(loaded, { version: 1, project: "shop", flags });
    expect([...texts.values()]).toEqual([
      text
        .replace("percentage: 100", "percentage: 20")
        .replace("on: 50, off: 50", "on: 30, off: 70"),
    ]);
  });

  it("adds a rule and a value in lines of their own", () => {
    const more = { field: "country", operator: "in", values: ["DE", "FR", "IT"] };
    const half = { id: "half-1", percentage: 50, constraints: [more] };
    const { text } = updated([staff, half, { id: "new-1", percentage: 5 }]);
    expect(text).toBe(
      `${FILE_WITH_RULES.replace("[DE,FR]", "[DE,FR,IT]")}          - {percentage: 5}\n`,
    );
  });
});

it("YAML quotes texts that other readers take for a boolean or a number", () => {
  expect(yamlOf({ a: ["on", "no", "1.0", "plain"] })).toBe(
    'a:\n  - "on"\n  - "no"\n  - "1.0"\n  - plain\n',
  );
});

describe("the parts of a large file", () => {
  const flag = { flagType: "RELEASE" } as const;
  const file: FlagsFile = {
    version: 1,
    project: "shop",
    segments: { staff: {}, unused: {} },
    flags: {
      a: { ...flag, prerequisites: [{ flagKey: "d" }] },
      b: { ...flag, environments: { production: { segments: ["staff"] } } },
      c: { ...flag, environments: { production: { rules: [{ segments: ["staff"] }] } } },
      d: flag,
      e: flag,
    },
  };

  it("keep flags together that require each other or share a segment", () => {
    const parts = partsOf(file, 1_500);
    expect(parts.map(({ flags = {} }) => Object.keys(flags))).toEqual([
      ["a", "d"],
      ["b", "c"],
      ["e"],
    ]);
    expect(parts.map(({ segments = {} }) => Object.keys(segments))).toEqual([
      ["unused"],
      ["staff"],
      [],
    ]);
    expect(parts.every(({ project }) => project === "shop")).toBe(true);
  });

  it("keep only flags together that require each other if too many share a segment", () => {
    const parts = partsOf(file, 1);
    expect(parts.map(({ flags = {} }) => Object.keys(flags))).toEqual([
      ["a", "d"],
      ["b"],
      ["c"],
      ["e"],
    ]);
  });

  it("of a small file are the file itself", () => {
    expect(partsOf(file)).toEqual([file]);
  });
});
