import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useMemo, useState } from "react";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { segmentsQuery, tagsQuery } from "../../shared/data/project-lists.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { flagOwnersQuery } from "../../shared/data/users.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { SearchInput, useTypedSearch } from "../../shared/list/SearchBox.tsx";
import { useCurrentSession } from "../../shared/session/current-session.tsx";
import classes from "./FlagSearch.module.css";
import { isKnown, partsOf, replaceLast, suggestions, TOKEN_KEYS } from "./tokens.ts";
import { digest, type Vocabulary } from "./tokens.ts";
import { useFlagsSearch } from "./use-flags-search.ts";

/**
 * The search box of the list of flags. Tokens such as `tag:shop` become filters as soon as they are
 * complete, and a list below the box offers them.
 */
export function FlagSearch({ isSearching }: { isSearching: boolean }) {
  const { t } = useTranslation();
  const id = useId();
  const { search, change } = useFlagsSearch();
  const { typed, type } = useTypedSearch(search.search ?? "", (words) =>
    change({ search: words || undefined }, { replace: true }),
  );
  const known = useVocabulary(typed);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const options = useMemo(() => (isOpen ? suggestions(typed, known) : []), [isOpen, typed, known]);

  const enter = (text: string) => {
    const result = digest(text, search, known);
    if (result.search !== search) change({ ...result.search, page: undefined });
    type(result.text, result.words);
  };
  const edit = (text: string) => {
    setOpen(text.trim() !== "");
    // The first value is chosen, but no key: a word that begins like a key is still a word.
    setActive(partsOf(text).at(-1)?.token ? 0 : -1);
    enter(text);
  };
  const choose = (option: string) => {
    const text = replaceLast(typed, option);
    if (option.endsWith(":")) edit(text);
    else {
      setOpen(false);
      enter(`${text} `);
    }
  };
  // Names load while the user types, and a link may have tokens.
  const digestAgain = useEffectEvent((vocabulary: Vocabulary) => {
    if (digest(typed, search, vocabulary).search !== search) enter(typed);
  });
  useEffect(() => digestAgain(known), [known]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      if (options.length > 0) setActive((active + step + options.length) % options.length);
    }
    const option = options[active];
    if (event.key === "Enter" && option !== undefined) {
      event.preventDefault();
      choose(option);
    } else if (event.key === "Enter" && typed.trim() !== "") {
      setOpen(false);
      enter(`${typed.trimEnd()} `);
    }
    if (event.key === "Escape" && options.length > 0) {
      event.preventDefault();
      setOpen(false);
    }
  };

  return (
    <div className={classes.box}>
      <SearchInput
        role="combobox"
        aria-label={t("common.search")}
        placeholder={t("flags.searchPlaceholder")}
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={options.length > 0}
        aria-controls={`${id}list`}
        aria-activedescendant={options[active] === undefined ? undefined : `${id}${active}`}
        aria-describedby={`${id}hint`}
        value={typed}
        onType={edit}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
        isSearching={isSearching}
      />
      <div
        id={`${id}list`}
        role="listbox"
        aria-label={t("flags.suggestions")}
        className={classes.list}
        hidden={options.length === 0}
      >
        {options.map((option, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the input has the focus and the keys
          <div
            key={option}
            id={`${id}${index}`}
            role="option"
            aria-selected={index === active}
            className={classes.option}
            // Keeps the focus in the input.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(option)}
          >
            <code>{option}</code>
          </div>
        ))}
      </div>
      <Hint id={`${id}hint`} words={search.search ?? ""} />
    </div>
  );
}

/** Says which tokens of the searched words are no filters. All that were filters have left the words. */
function Hint({ id, words }: { id: string; words: string }) {
  const { t } = useTranslation();
  const unknown = partsOf(words).find(({ token }) => token)?.token;
  const texts = { key: `${unknown?.key}:`, value: unknown?.value ?? "" };
  return (
    <Text id={id} role="status" size="xs" className={classes.hint} hidden={!unknown}>
      {unknown &&
        (isKnown(unknown.key)
          ? t("flags.unknownValue", texts)
          : t("flags.unknownToken", {
              ...texts,
              keys: TOKEN_KEYS.map((key) => `${key}:`).join(" "),
            }))}
    </Text>
  );
}

const NONE = [] as const;

/** The names of the project. Loads only those that the tokens of the text need. */
function useVocabulary(text: string): Vocabulary {
  const projectId = useProjectId();
  const { user } = useCurrentSession();
  const keys = new Set(partsOf(text).map(({ token }) => token?.key));
  const when = (...wanted: string[]) => ({ enabled: wanted.some((key) => keys.has(key)) });
  const { data: tags = NONE } = useQuery({ ...tagsQuery(projectId), ...when("tag") });
  const { data: owners = NONE } = useQuery({ ...flagOwnersQuery(projectId), ...when("owner") });
  const { data: segments = NONE } = useQuery({ ...segmentsQuery(projectId), ...when("segment") });
  const { data: environments = NONE } = useQuery({
    ...environmentsQuery(projectId),
    ...when("on", "off"),
  });
  return useMemo(
    () => ({ tags, owners, segments, environments, me: user.id }),
    [tags, owners, segments, environments, user.id],
  );
}
