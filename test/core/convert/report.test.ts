import { expect, it } from "vitest";
import { Changes, reasonText, Refusal } from "@feature-flags/convert/report";

it.each(["", " ", undefined as unknown as string])(
  "a reason about a strategy with the name %j leaves no gap in its sentence",
  (strategy) => {
    const text = 'the strategy "" does not exist here';
    expect(new Refusal("unknownStrategy", { strategy }).message).toBe(text);
    const changes = new Changes();
    changes.add("unknownStrategy", { strategy });
    expect(changes.reasons.map(reasonText)).toEqual([text]);
  },
);
