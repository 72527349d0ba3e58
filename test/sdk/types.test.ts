import { createBindingClient } from "@feature-flags/sdk/binding";
import { FeatureFlagsProvider } from "@feature-flags/sdk/openfeature";
import {
  createClient,
  createOfflineClient,
  type DeepReadonly,
  type FlagClient,
  type JsonValue,
} from "@feature-flags/sdk";
import { describe, expect, expectTypeOf, it } from "vitest";

// `npm run check` compiles this file: a `@ts-expect-error` without an error fails.

interface Limits {
  perUser: number;
  hosts: string[];
}

interface Flags {
  "new-checkout": boolean;
  colour: "red" | "blue";
  retries: number;
  limits: Limits;
}

const LIMITS: Limits = { perUser: 1, hosts: [] };
const typed = createOfflineClient<Flags>({ "new-checkout": true, colour: "red", limits: LIMITS });
const untyped = createOfflineClient({ "new-checkout": true, limits: { perUser: 2 } });

describe("a client with the type of its flags", () => {
  it("accepts only the keys of flags of the type that the check has", () => {
    expect(typed.boolean("new-checkout", false)).toBe(true);
    expect(typed.string("colour", "green")).toBe("red");
    expect(typed.number("retries", 3)).toBe(3);
    // @ts-expect-error no flag has this key
    expect(typed.boolean("new-chekout", false)).toBe(false);
    // @ts-expect-error the flag has texts
    expect(typed.boolean("colour", false)).toBe(false);
    // @ts-expect-error the flag has JSON values
    expect(typed.number("limits", 5)).toBe(5);
    // @ts-expect-error no flag has this key
    expect(typed.details("new-chekout", false).errorCode).toBe("FLAG_NOT_FOUND");
    // @ts-expect-error the flag has booleans
    typed.override("new-checkout", "on");
    // @ts-expect-error no flag has this key
    createOfflineClient<Flags>({ "new-chekout": true });
    typed.clearOverrides();
  });

  it("returns JSON values of the type of the flag, with readonly fields", () => {
    const limits = typed.json("limits", { perUser: 5, hosts: ["a"] });
    expectTypeOf(limits).toEqualTypeOf<DeepReadonly<Limits>>();
    expectTypeOf(limits.hosts).toEqualTypeOf<readonly string[]>();
    expect(limits).toEqual(LIMITS);
    expectTypeOf(typed.details("limits", LIMITS).value).toEqualTypeOf<DeepReadonly<Limits>>();
    // @ts-expect-error the default lacks a field
    typed.json("limits", { perUser: 5 });
    const change = () => {
      // @ts-expect-error the value is readonly
      limits.perUser = 6;
      // @ts-expect-error the array is readonly
      limits.hosts.push("b");
    };
    expect(change).toBeTypeOf("function");
  });

  it("exists for a URL, for a service binding, and as the client of a provider", () => {
    expectTypeOf(createClient<Flags>).returns.toEqualTypeOf<FlagClient<Flags>>();
    type Binding = ReturnType<typeof createBindingClient<Flags>>;
    expectTypeOf<Parameters<Binding["boolean"]>[0]>().toEqualTypeOf<"new-checkout">();
    expect(new FeatureFlagsProvider(typed).client).toBe(typed);
  });
});

describe("a client without the type of its flags", () => {
  it("accepts every key, and returns JSON values of the type of the default or of the caller", () => {
    expect(untyped.boolean("anything", true)).toBe(true);
    const limits = untyped.json("limits", { perUser: 5 });
    expectTypeOf(limits).toEqualTypeOf<{ readonly perUser: number }>();
    expect(limits).toEqual({ perUser: 2 });
    expectTypeOf(untyped.json<Limits>("limits", LIMITS).hosts).toEqualTypeOf<readonly string[]>();
    expectTypeOf(untyped.json("limits", null as JsonValue)).toEqualTypeOf<JsonValue>();
    expectTypeOf(untyped.details("new-checkout", false).value).toEqualTypeOf<boolean>();
    untyped.override("anything", [1]);
    untyped.clearOverrides();
  });
});

it("A context accepts texts, numbers, booleans and missing values, and nothing else", () => {
  const country: string | undefined = undefined;
  const facts = { targetingKey: "user-42", age: 42, isAdmin: false, country, plan: null };
  expect(typed.boolean("new-checkout", false, facts)).toBe(true);
  // @ts-expect-error a date is no fact: pass its text
  typed.boolean("new-checkout", false, { since: new Date(0) });
  // @ts-expect-error an array is no fact
  typed.boolean("new-checkout", false, { groups: ["a"] });
  // @ts-expect-error an object is no fact
  untyped.all({ address: { country: "DE" } });
});
