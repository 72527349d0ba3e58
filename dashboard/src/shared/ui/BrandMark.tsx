/** The logo. Decorative: the product's name is always beside it. */
export function BrandMark({ size }: { size: number }) {
  return <img src="/favicon.svg" alt="" width={size} height={size} />;
}
