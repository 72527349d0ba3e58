import type { JsonValue } from "@openfeature/core";
import type { Api } from "../api.ts";
import { isIn } from "../strategies.ts";
import { newFlag, type World } from "../world.ts";

/** A flag key with every kind of character that a key may have. */
const SPECIAL_KEY = "a.b_c-d:e";

/** Sets the strategy of a flag in the environment development. */
export const setStrategy = async (
  api: Api,
  { development }: World,
  flagId: number,
  strategy: object,
): Promise<void> => {
  const body = { environmentId: development.id, enabled: true, percentage: 100, ...strategy };
  await api.put(`/api/v1/flags/${flagId}/strategies`, body);
};

const LAYOUT = {
  valueType: "json" as const,
  variants: [
    { key: "narrow", value: { columns: 1 } },
    { key: "wide", value: { columns: 3 } },
  ],
};

/** Creates flags of all types, on and off, in the environment development. */
export async function newFlags(api: Api, world: World): Promise<void> {
  const create = async (
    key: string,
    fields: Parameters<typeof newFlag>[2],
    strategy: object | undefined,
  ) => {
    const { id } = await newFlag(api, world, { key, ...fields });
    if (strategy) await setStrategy(api, world, id, strategy);
  };
  await create(SPECIAL_KEY, {}, {});
  await create("disabled", {}, undefined);
  await create("split", {}, { percentage: 50 });
  await create(
    "title",
    {
      valueType: "string",
      variants: [
        { key: "short", value: "Hello" },
        { key: "long", value: "Hello and welcome" },
      ],
      offVariant: "short",
    },
    {
      rules: [
        {
          constraints: [isIn("plan", "pro")],
          serve: { variant: "long" },
        },
      ],
      serve: { variant: "short" },
    },
  );
  await create(
    "limit",
    {
      valueType: "number",
      variants: [
        { key: "low", value: 10 },
        { key: "high", value: 99.5 },
      ],
      offVariant: "low",
    },
    { serve: { variant: "high" } },
  );
  await create("layout", { ...LAYOUT, offVariant: "narrow" }, { serve: { variant: "wide" } });
  await create("layout-without-off", { ...LAYOUT, offVariant: null }, undefined);
}

/** An evaluation of the flags of `newFlags` for the user ann, and what a client must return. */
export const EVALUATIONS: readonly {
  readonly key: string;
  readonly fallback: JsonValue;
  readonly expected: object;
}[] = [
  {
    key: SPECIAL_KEY,
    fallback: false,
    expected: { value: true, variant: "on", reason: "STATIC" },
  },
  {
    key: "title",
    fallback: "code",
    expected: { value: "Hello", variant: "short", reason: "TARGETING_MATCH" },
  },
  { key: "limit", fallback: 1, expected: { value: 99.5, variant: "high", reason: "STATIC" } },
  {
    key: "layout",
    fallback: {},
    expected: { value: { columns: 3 }, variant: "wide", reason: "STATIC" },
  },
  // A flag that is off must serve its off variant, and not the default in the code, which is true
  // here.
  {
    key: "disabled",
    fallback: true,
    expected: { value: false, variant: "off", reason: "DISABLED" },
  },
  { key: "layout-without-off", fallback: { columns: 2 }, expected: { value: { columns: 2 } } },
  {
    key: "unknown",
    fallback: "code",
    expected: { value: "code", errorCode: "FLAG_NOT_FOUND", reason: "ERROR" },
  },
];
