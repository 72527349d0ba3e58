const digits = (maximumSignificantDigits: number) =>
  new Intl.NumberFormat("en", { maximumSignificantDigits });

export const amount = (value: number): string => digits(3).format(value);
export const usd = (value: number): string => `$${digits(value < 10 ? 2 : 3).format(value)}`;
export const percent = (value: number): string => `${digits(2).format(value * 100)} %`;
