declare module "parse-prometheus-text-format" {
  /** Of a counter, a gauge, or a sample without a type. */
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
