const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/**
 * Returns functions that format numbers, times (ISO 8601) and lists. Words, such as in `3 minutes
 * ago`, are in the language. Dates, times and numbers follow the locale, such as `en-GB`.
 */
export function formatsOf(language: string, locale = language): Formats {
  const name = `${language} ${locale}`;
  const known = FORMATS.get(name) ?? createFormats(language, locale);
  FORMATS.set(name, known);
  return known;
}

export type Formats = ReturnType<typeof createFormats>;

/**
 * The formatting functions by language and locale. They are cached, because creating `Intl`
 * formatters is slow and many components use them.
 */
const FORMATS = new Map<string, Formats>();

/** Returns a function that calls `create` at its first call, and returns that value every time. */
function once<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= create());
}

function createFormats(language: string, locale: string) {
  const number = once(() => new Intl.NumberFormat(locale));
  // `K` and `M` of the language, because `10m` of en-GB could be read as milli.
  const compact = once(
    () => new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }),
  );
  const decimal = once(
    () =>
      number()
        .formatToParts(0.5)
        .find(({ type }) => type === "decimal")?.value ?? ".",
  );
  const percent = once(
    () => new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 }),
  );
  const exactPercent = once(
    () =>
      new Intl.NumberFormat(locale, {
        style: "percent",
        maximumFractionDigits: 3,
      }),
  );
  const size = (unit: "kilobyte" | "megabyte") =>
    once(() => new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: 1 }));
  const [kilobytes, megabytes] = [size("kilobyte"), size("megabyte")];
  const date = once(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium" }));
  const dateTime = once(
    () => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }),
  );
  const time = once(() => new Intl.DateTimeFormat(locale, { timeStyle: "short" }));
  const relative = once(() => new Intl.RelativeTimeFormat(language, { numeric: "auto" }));
  const list = once(() => new Intl.ListFormat(language, { type: "conjunction" }));
  const either = once(() => new Intl.ListFormat(language, { type: "disjunction" }));
  return {
    number: (value: number) => number().format(value),
    /** Formats a large number in short, such as `1.2K`. */
    compact: (value: number) =>
      compact()
        .formatToParts(value)
        .map((part) => (part.type === "decimal" ? decimal() : part.value))
        .join(""),
    /** The decimal separator of the locale. */
    decimal,
    /** Formats a share from 0 to 1 as a percentage. */
    percent: (share: number) => percent().format(share),
    /** Formats a share from 0 to 1 as a percentage with up to three decimals. */
    exactPercent: (share: number) => exactPercent().format(share),
    /** Formats a number of bytes, such as `14.8 kB` or `1.2 MB`. */
    bytes: (value: number) =>
      value < 1_000_000 ? kilobytes().format(value / 1_000) : megabytes().format(value / 1_000_000),
    date: (iso: string) => date().format(new Date(iso)),
    dateTime: (iso: string) => dateTime().format(new Date(iso)),
    /** Formats a time with its day, which is a word if it is near: `tomorrow 09:00`. `now`: epoch milliseconds. */
    dayAndTime: (iso: string, now = Date.now()) => {
      const days = daysBetween(now, Date.parse(iso));
      return Math.abs(days) > 1
        ? dateTime().format(new Date(iso))
        : `${relative().format(days, "day")} ${time().format(new Date(iso))}`;
    },
    /** Formats a time of today without its date. */
    time: (iso: string) => time().format(new Date(iso)),
    /** Formats a time relative to now, such as `3 minutes ago`. `now`: epoch milliseconds. */
    relative: (iso: string, now = Date.now()) =>
      inSeconds(relative(), (Date.parse(iso) - now) / 1000),
    /** Formats a number of seconds from now, such as `in 3 minutes`. */
    inSeconds: (seconds: number) => inSeconds(relative(), seconds),
    list: (items: readonly string[]) => list().format(items),
    either: (items: readonly string[]) => either().format(items),
  };
}

/** Returns how many midnights of the browser's time zone are between two times. */
function daysBetween(from: number, to: number): number {
  const [start, end] = [new Date(from), new Date(to)];
  return Math.round((end.setHours(12, 0, 0, 0) - start.setHours(12, 0, 0, 0)) / 86_400_000);
}

function inSeconds(format: Intl.RelativeTimeFormat, seconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  return format.format(Math.round(seconds / size), unit);
}
