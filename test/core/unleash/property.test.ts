import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileRules } from "@feature-flags/evaluation/evaluate";
import { unleashDocument } from "@feature-flags/unleash";
import { strategyLength } from "@feature-flags/unleash/size";
import { anyContext, anyFlags } from "./arbitraries.ts";
import { type Compared, difference, isExact, shownByUnleash } from "./compared.ts";
import { unleashWith } from "./unleash-sdk.ts";

/** How many environments are drawn. 3,600 were once compared without a difference: 720,000 checks. */
const RUNS = 100;

const CONTEXTS = 20;

describe("random flags in the SDK of Unleash", () => {
  it.each(["a", "b"] as const)(
    "are on for nobody for whom they are off here, and exact flags have the same results (form %s)",
    (form) => {
      const counts = { checks: 0, exact: 0, on: 0, flags: 0 };
      fc.assert(
        fc.property(
          anyFlags,
          fc.array(anyContext, { minLength: CONTEXTS, maxLength: CONTEXTS }),
          (rules, contexts) => {
            const { features, notes } = unleashDocument(rules, form);
            const unleash = unleashWith({ features });
            for (const strategy of features.flatMap(({ strategies }) => strategies))
              expect(strategyLength(strategy)).toBeLessThanOrEqual(JSON.stringify(strategy).length);
            const byName = new Map(features.map((feature) => [feature.name, feature]));
            const compiled = compileRules(rules);
            for (const rule of rules) {
              const own = notes.filter(({ flagKey }) => flagKey === rule.key);
              const codes = new Set(own.map(({ code }) => code));
              const compared: Compared = { rule, compiled, features: byName, codes };
              counts.flags++;
              if (isExact(compared)) counts.exact++;
              for (const context of contexts) {
                const theirs = shownByUnleash(unleash, rule.key, context);
                counts.checks++;
                if (theirs.isOn) counts.on++;
                const found = difference(compared, context, theirs);
                if (found !== undefined)
                  throw new Error(
                    `${found}: ${rule.key} ${JSON.stringify({ context, theirs, rules, features })}`,
                  );
              }
            }
          },
        ),
        { seed: 20_261_126, numRuns: RUNS },
      );
      // Shows that enough flags are exact, and that enough of them are on.
      expect(counts.exact).toBeGreaterThan(counts.flags / 4);
      expect(counts.on).toBeGreaterThan(counts.checks / 10);
    },
  );
});
