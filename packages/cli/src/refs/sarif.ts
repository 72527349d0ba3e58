import { type Finding, RULES } from "./check.ts";

/**
 * Returns the findings as SARIF 2.1.0, which code hosts show at the lines of a pull request. Paths are
 * relative to the repository.
 */
export const sarif = (findings: readonly Finding[], version: string): object => ({
  $schema: "https://json.schemastore.org/sarif-2.1.0.json",
  version: "2.1.0",
  runs: [
    {
      columnKind: "utf16CodeUnits",
      tool: {
        driver: {
          name: "flags",
          version,
          rules: Object.entries(RULES).map(([id, { level, text }]) => ({
            id,
            shortDescription: { text },
            defaultConfiguration: { level },
          })),
        },
      },
      results: findings.map(({ rule, message, file, line, column }) => ({
        ruleId: rule,
        level: RULES[rule].level,
        message: { text: message },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: encodeURI(file), uriBaseId: "%SRCROOT%" },
              region: { startLine: line, startColumn: column },
            },
          },
        ],
      })),
    },
  ],
});
