/** The product's mark; decorative, since the name always stands beside it. */
export function BrandMark({ size }: { size: number }) {
  return <img src="/favicon.svg" alt="" width={size} height={size} />;
}
