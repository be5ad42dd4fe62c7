/**
 * The decisions that a person may take on a request, and the meaning of each typed line. Pure, for every kind of screen.
 * The choices of a request are numbered without a gap, 1 first and the refusal last. A decision that lasts longer than
 * one call needs a second answer, so a number that is typed from habit allows nothing that lasts.
 */
import { oneLine, unmistakable } from '../../api/text.js';
import type { PermissionAnswer, PermissionRequest, PermissionUpdate } from '../../api/types.js';
import { formatRule } from '../../api/permissions/permissions.js';

export type Choices = {
  readonly isPlan: boolean;
  /** Rules and modes that may apply until the session ends, the narrowest first. */
  readonly session: readonly PermissionUpdate[];
  /** Rules that may apply in later sessions too. `folderFile` is the file for them. */
  readonly folder: readonly PermissionUpdate[];
  readonly folderFile: string;
};

/** The meaning of a line for a request. */
export type Reply =
  | { readonly type: 'answer'; readonly answer: PermissionAnswer }
  /** The person has to confirm one of these updates. */
  | {
      readonly type: 'confirm';
      readonly updates: readonly PermissionUpdate[];
      readonly scope: string;
    }
  | { readonly type: 'show all' }
  | { readonly type: 'edit' }
  | { readonly type: 'unclear'; readonly help: string };

/** A line that was typed or pasted. */
export type TypedLine = { readonly text: string; readonly isPasted: boolean };

/** @param folderFile the file for a rule for this folder; if absent no such rule is offered */
export function choicesOf(
  { kind, suggestions }: Pick<PermissionRequest, 'kind' | 'suggestions'>,
  folderFile: string | undefined,
): Choices {
  const lasting = suggestions.filter(({ destination }) => destination === 'localSettings');
  return {
    isPlan: kind === 'plan',
    session: suggestions.map((update) => ({ ...update, destination: 'session' as const })),
    folder: folderFile === undefined ? [] : lasting,
    folderFile: folderFile ?? '',
  };
}

/** The menu, one choice a line. */
export function menuOf(
  choices: Choices,
  {
    isFolded,
    canEdit = false,
  }: { readonly isFolded: boolean; readonly canEdit?: boolean | undefined },
): readonly string[] {
  const { isPlan, session, folder } = choices;
  const { sessionNumber, folderNumber, no } = numbersOf(choices);
  return [
    isPlan ? '1 carry it out' : '1 allow once',
    ...(session.length === 0
      ? []
      : [
          `${sessionNumber} ${isPlan ? 'carry it out, with' : 'allow in this session:'} ${described(session)}`,
        ]),
    ...(folder.length === 0
      ? []
      : [`${folderNumber} allow always in this folder: ${described(folder)}`]),
    isPlan
      ? `${no} keep planning (${no} and a reason says what to change)`
      : `${no} no (${no} and a reason tells the agent why)`,
    ...(isFolded ? ['v show all lines'] : []),
    ...(canEdit ? ['e edit the input'] : []),
  ];
}

/** The number of the refusal. */
export function refusalOf(choices: Choices): string {
  return numbersOf(choices).no;
}

export function readReply({ text, isPasted }: TypedLine, choices: Choices): Reply {
  const [first = '', ...rest] = text.trim().split(/\s+/);
  const word = first.toLowerCase().replace(/[,.!:]+$/, '');
  const reason = rest.join(' ');
  const { sessionNumber, folderNumber, no } = numbersOf(choices);
  if ([no, 'n', 'no'].includes(word)) {
    const answer =
      reason === ''
        ? { behavior: 'deny' as const }
        : { behavior: 'deny' as const, message: reason };
    return { type: 'answer', answer };
  }
  if (text.trim() === '') return unclear(choices, '');
  if (isPasted) return unclear(choices, 'Pasted text allows nothing: type the number. ');
  if (['v', 'view'].includes(word) && reason === '') return { type: 'show all' };
  if (['e', 'edit'].includes(word) && reason === '') return { type: 'edit' };
  if (['1', 'y', 'yes', 'ok'].includes(word)) {
    const isBare = /^(?:please|thanks|thank you)?[.!]*$/i.test(reason);
    return isBare
      ? { type: 'answer', answer: { behavior: 'allow' } }
      : unclear(choices, 'That says more than yes, so nothing was decided. ');
  }
  if (reason !== '') return unclear(choices, '');
  const { session, folder, folderFile } = choices;
  if (word === sessionNumber)
    return { type: 'confirm', updates: session, scope: 'in this session' };
  if (word === folderNumber)
    return {
      type: 'confirm',
      updates: folder,
      scope: `always in this folder, written to ${folderFile}`,
    };
  if (['a', 'always'].includes(word))
    return unclear(choices, 'A decision that lasts has its own number. ');
  return unclear(choices, '');
}

/** The question before a decision lasts. */
export function confirmationOf(
  updates: readonly PermissionUpdate[],
  scope: string,
): { readonly title: string; readonly items: readonly string[]; readonly how: string } {
  return {
    title: `Allow from now on, ${scope}:`,
    items: updates.map((update, index) =>
      updates.length === 1 ? describeUpdate(update) : `${index + 1} ${describeUpdate(update)}`,
    ),
    how:
      updates.length === 1
        ? 'Type yes and Enter to confirm. Anything else returns to the choices.'
        : 'Type its number and Enter to confirm. Anything else returns to the choices.',
  };
}

/** The confirmed update; undefined if there is no confirmation. */
export function readConfirmation(
  { text, isPasted }: TypedLine,
  updates: readonly PermissionUpdate[],
): PermissionUpdate | undefined {
  const word = text.trim().toLowerCase();
  if (isPasted) return undefined;
  if (updates.length === 1) return word === 'yes' ? updates[0] : undefined;
  return /^\d+$/.test(word) ? updates[Number(word) - 1] : undefined;
}

/** Describe an update on one line. */
export function describeUpdate(update: PermissionUpdate): string {
  if ('rules' in update) return shown(update.rules.map(formatRule).join(', '));
  if ('directories' in update) return shown(update.directories.join(', '));
  return update.mode === 'acceptEdits'
    ? 'all edits in the workspace (mode acceptEdits)'
    : `the mode ${update.mode}`;
}

function described(updates: readonly PermissionUpdate[]): string {
  return updates.map(describeUpdate).join(', or ');
}

function shown(text: string): string {
  return oneLine(unmistakable(text), Infinity);
}

function unclear(choices: Choices, why: string): Reply {
  const { sessionNumber, folderNumber, no } = numbersOf(choices);
  const numbers = ['1', sessionNumber, folderNumber].filter((number) => number !== undefined);
  const yes = choices.isPlan ? 'carry it out' : 'allow it';
  return {
    type: 'unclear',
    help: `${why}Type ${numbers.join(', ')} or ${no}, then Enter: 1 or yes to ${yes}, ${no} or no to refuse.`,
  };
}

/** The number of each choice behind the first one; undefined for a choice that the request does not have. */
function numbersOf({ session, folder }: Choices) {
  const sessionNumber = session.length > 0 ? '2' : undefined;
  const folderNumber = folder.length > 0 ? '3' : undefined; // what may last here may last in the session, too
  const no = folderNumber !== undefined ? '4' : sessionNumber !== undefined ? '3' : '2';
  return { sessionNumber, folderNumber, no };
}
