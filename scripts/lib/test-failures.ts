/** The fields of vitest's JSON report that are used here. `message` says why a file did not run. */
interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[] | null;
    }[];
  }[];
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly file: string;
    readonly line: number;
    readonly tests: readonly { readonly status: string }[];
  }[];
}

/**
 * Returns a line for each failed test in vitest's JSON report, with the first line of its error,
 * and for each file that did not run; nothing if the report is missing.
 */
export function vitestFailures(report: unknown): string[] {
  if (report === undefined) return [];
  return (report as VitestReport).testResults.flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === "failed");
    if (failed.length === 0 && file.status === "failed")
      return [`${file.name}: ${firstLine(file.message)}`];
    return failed.map(
      ({ fullName, failureMessages }) =>
        `${file.name}: ${fullName}: ${firstLine(failureMessages?.[0] ?? "")}`,
    );
  });
}

/**
 * Returns a line for each failed test in Playwright's JSON report, and for each test that passed
 * only in a retry; nothing if the report is missing.
 */
export function playwrightFailures(report: unknown): string[] {
  return report === undefined ? [] : failuresOf(report as PlaywrightSuite);
}

const failuresOf = ({ suites = [], specs = [] }: PlaywrightSuite): string[] => [
  ...specs.flatMap(({ title, file, line, tests }) =>
    tests.flatMap(({ status }) => {
      if (status !== "unexpected" && status !== "flaky") return [];
      return [`${file}:${line}: ${title}${status === "flaky" ? ": passed in a retry" : ""}`];
    }),
  ),
  ...suites.flatMap(failuresOf),
];

const firstLine = (text: string) => text.split("\n", 1)[0] ?? "";
