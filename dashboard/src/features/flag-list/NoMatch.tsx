import { Button } from "@mantine/core";
import { IconFilterOff, IconStar } from "@tabler/icons-react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { countFilters, type FlagsSearch } from "./search-params.ts";

interface Props {
  search: FlagsSearch;
  onClear: () => void;
}

/** The text that replaces the list if no flag matches the search and the filters. */
export function NoMatch({ search, onClear }: Props) {
  const { t } = useTranslation();
  const onlyFavourites =
    search.favourite && search.search === undefined && countFilters(search) === 1;
  return (
    <EmptyState
      Icon={onlyFavourites ? IconStar : IconFilterOff}
      title={t(onlyFavourites ? "flags.noFavouritesTitle" : "flags.noMatchTitle")}
      action={
        <Button variant="default" onClick={onClear}>
          {t(onlyFavourites ? "flags.showAll" : "flags.clearFilters")}
        </Button>
      }
    >
      {t(onlyFavourites ? "flags.noFavouritesText" : "flags.noMatchText")}
    </EmptyState>
  );
}
