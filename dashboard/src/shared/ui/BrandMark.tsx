/** The logo. It has no alternative text, because the name of the product is always beside it. */
export function BrandMark({ size }: { size: number }) {
  return <img src="/favicon.svg" alt="" width={size} height={size} />;
}
