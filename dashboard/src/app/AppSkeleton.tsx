const SIDE = 7;
const MAIN = 5;

const bars = (count: number) => Array.from({ length: count }, (_, index) => <i key={index} />);

/**
 * The placeholder of the whole dashboard while its code loads. Looks like the placeholder in
 * index.html, which the browser shows before any script has loaded.
 */
export function AppSkeleton() {
  return (
    <div className="app-skeleton" data-signed-in aria-hidden>
      <div className="app-skeleton-side">{bars(SIDE)}</div>
      <div className="app-skeleton-main">{bars(MAIN)}</div>
    </div>
  );
}
