import { type ComponentProps, isValidElement, type ReactElement, type ReactNode } from "react";
import classes from "./FilterBar.module.css";
import { SearchBox } from "./SearchBox.tsx";

interface Props {
  /** The accessible name of the bar. */
  label: string;
  /** The search box, or what it shows. */
  search: ComponentProps<typeof SearchBox> | ReactElement;
  /** The `FilterControls`, if the list has filters. */
  children?: ReactNode;
}

/** The search box of a list, and its filters. */
export function FilterBar({ label, search, children }: Props) {
  return (
    <search className={classes.bar} aria-label={label}>
      <div className={classes.search}>
        {isValidElement(search) ? search : <SearchBox {...search} />}
      </div>
      {children}
    </search>
  );
}

/** The place of `FilterControls` while their code loads, so that nothing moves. */
export const FilterSpace = () => <div className={classes.space} />;
