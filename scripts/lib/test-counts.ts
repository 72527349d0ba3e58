import { stripVTControlCharacters } from "node:util";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /**
   * The file and name of each failed test with the first lines of its errors, and the name of each
   * file that could not run.
   */
  readonly failures: readonly string[];
}

const NONE: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] };

/** The fields of vitest's JSON report that are used here. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly {
    /** The path of the file. */
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      /** One for each attempt, with the stack. */
      readonly failureMessages?: readonly string[] | undefined;
    }[];
  }[];
}

/** The fields of Playwright's JSON report that are used here. */
interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly flaky: number;
    readonly unexpected: number;
    readonly skipped: number;
  };
  readonly suites: readonly PlaywrightSuite[];
}

/** A file of tests, or a `describe` in it. */
interface PlaywrightSuite {
  readonly specs: readonly {
    readonly title: string;
    readonly file: string;
    readonly ok: boolean;
    readonly tests: readonly {
      /** One for each attempt. */
      readonly results: readonly { readonly error?: { readonly message?: string } | undefined }[];
    }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[];
}

/** How many characters of an error are printed: two objects of `truncateThreshold` (vitest.config.ts). */
const MAX_ERROR = 700;

/** Returns the file and the name of a failed test, and below them the start of its errors. */
function failure(file: string, name: string, errors: readonly string[]): string {
  const starts = new Set(
    errors.map((error) =>
      stripVTControlCharacters(error)
        .split(/\n\s+at /)[0]
        ?.slice(0, MAX_ERROR)
        .replaceAll("\n", "\n    "),
    ),
  );
  return [`${file}: ${name}`, ...starts].join("\n    ");
}

/** Returns the test counts in vitest's JSON report; zeros if the report is missing. */
export function fromVitest(report: unknown): Counts {
  if (report === undefined) return NONE;
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } =
    report as VitestReport;
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: numPendingTests + numTodoTests,
    failures: testResults
      .filter(({ status }) => status === "failed")
      .flatMap(({ name, assertionResults }) => {
        const failed = assertionResults.filter(({ status }) => status === "failed");
        return failed.length === 0
          ? [name]
          : failed.map(({ fullName, failureMessages = [] }) =>
              failure(name, fullName, failureMessages),
            );
      }),
  };
}

/**
 * Returns the test counts in Playwright's JSON report; zeros if the report is missing. A flaky
 * test, which passed in a retry, counts as passed.
 */
export function fromPlaywright(report: unknown): Counts {
  if (report === undefined) return NONE;
  const { stats, suites } = report as PlaywrightReport;
  const { expected, flaky, unexpected, skipped } = stats;
  const failures = suites.flatMap(failuresIn);
  return { passed: expected + flaky, failed: unexpected, skipped, failures };
}

const failuresIn = ({ specs, suites = [] }: PlaywrightSuite): string[] => [
  ...specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) =>
      failure(
        file,
        title,
        tests.flatMap(({ results }) => results.flatMap(({ error }) => error?.message ?? [])),
      ),
    ),
  ...suites.flatMap(failuresIn),
];

/**
 * Returns the test counts, with at least one failure when the exit code is not zero. A test file
 * that could not run is missing in the report, so the report may have no failure.
 */
export function withExitCode(counts: Counts, code: number): Counts {
  return code === 0 ? counts : { ...counts, failed: Math.max(counts.failed, 1) };
}

export function total(parts: readonly Counts[]): Counts {
  const sum = (of: (counts: Counts) => number) => parts.reduce((all, part) => all + of(part), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    failures: parts.flatMap(({ failures }) => failures),
  };
}

/** Returns the counts as text, such as "12 passed, 0 failed". `.ci/run` parses this form. */
export const summary = ({ passed, failed, skipped }: Omit<Counts, "failures">): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
