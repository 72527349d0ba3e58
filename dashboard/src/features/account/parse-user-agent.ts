/**
 * Patterns that identify a browser in a `User-Agent` header. The order matters, because many
 * browsers also name the browsers they are compatible with.
 */
const BROWSERS = [
  [/Edg\w*\//, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrom\w+\/|CriOS\//, "Chrome"],
  [/Version\/.+ Safari\//, "Safari"],
] as const;

const SYSTEMS = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/CrOS/, "ChromeOS"],
  [/Windows/, "Windows"],
  [/Macintosh/, "macOS"],
  [/Linux/, "Linux"],
] as const;

interface Device {
  /**
   * The name of the browser, such as `Firefox`. For another client, the first word of the header,
   * such as `curl`.
   */
  readonly program: string | undefined;
  readonly system: string | undefined;
  readonly isMobile: boolean;
}

/**
 * Returns the browser (or other program) and the operating system that a `User-Agent` header names.
 */
export function parseUserAgent(userAgent: string | null): Device {
  const nameIn = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  return {
    program: nameIn(BROWSERS) ?? /^(?!Mozilla)[\w.-]+/.exec(userAgent ?? "")?.[0],
    system: nameIn(SYSTEMS),
    isMobile: /iPhone|iPad|Android/.test(userAgent ?? ""),
  };
}
