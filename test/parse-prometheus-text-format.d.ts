declare module "parse-prometheus-text-format" {
  /** A sample of a counter, of a gauge or of a metric without a type. */
  interface Metric {
    readonly labels?: Readonly<Record<string, string>>;
    readonly value?: string;
  }

  interface Family {
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly metrics: readonly Metric[];
  }

  export default function parse(text: string): readonly Family[];
}
