/** The lines of a request or a question on a screen, with its choices. */
import type { StyledLine } from '../output/output-writer.js';
import type { AskLine } from './terminal-questions.js';
import type { TextWidth } from '../output/text-width.js';
import { menuOf, refusalOf, type Choices } from './choices.js';
import type { ShownRequest } from './describe-request.js';
import { layOut, wrapWith } from './lay-out.js';
import type { Menu } from './menu.js';

export type Layout = {
  readonly columns: number;
  readonly text: TextWidth;
  readonly isUnfolded: boolean;
  /** Offer to edit the input. */
  readonly canEdit?: boolean | undefined;
};

export type Shown = { readonly lines: readonly StyledLine[]; readonly menu: Menu };

/** The lines of a request on a screen, with its choices. */
export function requestLines(shown: ShownRequest, choices: Choices, layout: Layout): Shown {
  const { lines, isFolded } = layOut(shown, layout);
  const { canEdit } = layout;
  return withMenu(lines, menuOf(choices, { isFolded, canEdit }), choices, layout);
}

/** The choices again, below the last line of the request. */
export function menuAgain(
  before: readonly StyledLine[],
  shown: ShownRequest,
  choices: Choices,
  layout: Layout,
): Shown {
  const { lines, isFolded } = layOut(shown, layout);
  const { canEdit } = layout;
  const head = [...before, ...lines.slice(-1)];
  return withMenu(head, menuOf(choices, { isFolded, canEdit }), choices, layout);
}

/** Add choices to lines. The first word of a choice is the text that a person types for it. */
function withMenu(
  head: readonly StyledLine[],
  items: readonly string[],
  choices: Choices,
  { columns, text }: Layout,
): Shown {
  const wrapped = items.map((item) =>
    wrapWith('  ', item, { columns, text }, '  ').map((one) => ({ text: one })),
  );
  const refusal = refusalOf(choices);
  const menu = items.map((item, index) => {
    const [value = ''] = item.split(' ');
    return { value, height: wrapped[index]?.length ?? 0, takesText: value === refusal };
  });
  return {
    lines: [...head, ...wrapped.flat()],
    menu: { from: head.length, items: menu, isMany: false },
  };
}

/** A question with its numbered choices, if it has some. */
export function questionLines(
  [shown, choices]: Parameters<AskLine>,
  layout: { readonly columns: number; readonly text: TextWidth },
): { readonly lines: readonly StyledLine[]; readonly menu?: Menu } {
  const linesOf = (text: string): readonly StyledLine[] =>
    text
      .replace(/\n$/, '')
      .split('\n')
      .flatMap((line) => wrapIndented(line, layout));
  const before = linesOf(shown);
  if (choices === undefined) return { lines: before };
  const wrapped = choices.items.map(({ value, text }) => linesOf(`    ${value} ${text}`));
  const items = choices.items.map(({ value, isAlone = false }, index) => ({
    value,
    isAlone,
    height: wrapped[index]?.length ?? 0,
  }));
  return {
    lines: [...before, ...wrapped.flat(), ...linesOf(`  ${choices.how}`)],
    menu: { from: before.length, items, isMany: choices.isMany },
  };
}

/** A margin wider than that of a choice. */
const BEHIND_CHOICES = ' '.repeat(6);

function wrapIndented(
  line: string,
  layout: { readonly columns: number; readonly text: TextWidth },
): readonly StyledLine[] {
  const [prefix = ''] = /^ */.exec(line) ?? [];
  const hanging = BEHIND_CHOICES.slice(prefix.length); // a wrapped line never looks like a choice
  return wrapWith(prefix, line.slice(prefix.length), layout, hanging).map((text) => ({ text }));
}
