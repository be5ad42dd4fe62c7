/** The dialogue of a permission request: choices, a confirmation of what lasts, and the edit of the input. */
import type { PermissionAnswer, PermissionRequest, PermissionUpdate } from '../../api/types.js';
import type { StyledLine } from '../output/output-writer.js';
import type { LayLines, OpenPlace } from './ask-place.js';
import type { TextWidth } from '../output/text-width.js';
import {
  choicesOf,
  confirmationOf,
  readConfirmation,
  readReply,
  type Choices,
  type TypedLine,
} from './choices.js';
import { describeRequest, type ShownRequest } from './describe-request.js';
import type { InputDraft } from './edit-input.js';
import { wrapWith } from './lay-out.js';
import { menuAgain, requestLines, type Layout } from './request-lines.js';

export type AskLines = (lay: LayLines) => Promise<TypedLine | undefined>;

export type AskingOptions = {
  readonly who: string;
  /** The file for a rule for this folder; if absent no such rule is offered. */
  readonly folderFile: string | undefined;
  readonly signal: AbortSignal;
  readonly text: TextWidth;
  readonly place: Pick<OpenPlace, 'edit'>;
  readonly ask: AskLines;
};

/** The request as it is shown: what an approval allows. */
type Asked = {
  readonly shown: ShownRequest;
  readonly choices: Choices;
  /** The input that runs instead. */
  readonly edited?: PermissionRequest['input'];
};

/** Ask until there is a decision; undefined if the terminal is closed. */
export async function askForPermission(
  request: PermissionRequest,
  options: AskingOptions,
): Promise<PermissionAnswer | undefined> {
  const { text, place, ask, signal } = options;
  const canEdit = place.edit !== undefined;
  const wrap = (line: string, columns: number): readonly StyledLine[] =>
    wrapWith('  ', line, { columns, text }).map((one) => ({ text: one }));
  let isUnfolded = false;
  let draft: InputDraft | undefined;
  let asked = await describe(request, options);
  const layout = (columns: number): Layout => ({ columns, text, isUnfolded, canEdit });
  const whole: LayLines = (columns) => requestLines(asked.shown, asked.choices, layout(columns));
  const again =
    (why: string): LayLines =>
    (columns) =>
      menuAgain(wrap(why, columns), asked.shown, asked.choices, layout(columns));
  let next = whole;
  for (;;) {
    const typed = await ask(next);
    if (typed === undefined) return undefined;
    const reply = readReply(typed, asked.choices);
    switch (reply.type) {
      case 'answer':
        return withInput(reply.answer, asked.edited);
      case 'show all':
        isUnfolded = true;
        next = whole;
        break;
      case 'edit': {
        const { editInput } = await import('./edit-input.js');
        draft = await editInput(request, draft, place);
        signal.throwIfAborted();
        if (draft.input !== undefined) asked = await describeEdited(request, draft.input, options);
        next = draft.input === undefined ? again(draft.problem) : whole;
        break;
      }
      case 'unclear':
        next = again(reply.help);
        break;
      case 'confirm': {
        const update = await confirm(reply, options);
        if (update === 'closed') return undefined;
        if (update !== undefined) return { behavior: 'allow', updatedPermissions: [update] };
        next = again('Nothing was allowed.');
        break;
      }
      default:
        return reply satisfies never;
    }
  }
}

async function describe(
  request: PermissionRequest,
  { who, folderFile, signal }: AskingOptions,
): Promise<Asked> {
  const { readChange } = await import('./read-change.js'); // it needs the tools, which are loaded by now
  const shown = describeRequest(request, who, await readChange(request, signal));
  return { shown, choices: choicesOf(request, folderFile) };
}

/** The facts and the rules of the request are those of the first input: an edited one is shown field by field. */
async function describeEdited(
  request: PermissionRequest,
  edited: PermissionRequest['input'],
  options: AskingOptions,
): Promise<Asked> {
  const message = 'You have edited this input. The deny rules still apply to it.';
  const changed = { ...request, input: edited, facts: undefined, suggestions: [], message };
  return { ...(await describe(changed, options)), edited };
}

function withInput(answer: PermissionAnswer, edited: Asked['edited']): PermissionAnswer {
  if (answer.behavior === 'deny' || edited === undefined) return answer;
  return { ...answer, updatedInput: edited };
}

async function confirm(
  { updates, scope }: { readonly updates: readonly PermissionUpdate[]; readonly scope: string },
  { ask, text }: Pick<AskingOptions, 'ask' | 'text'>,
): Promise<PermissionUpdate | 'closed' | undefined> {
  const { title, items, how } = confirmationOf(updates, scope);
  const values = updates.length === 1 ? ['yes'] : updates.map((_, index) => String(index + 1));
  const typed = await ask((columns) => {
    const wrap = (prefix: string, line: string): readonly StyledLine[] =>
      wrapWith(prefix, line, { columns, text }).map((one) => ({ text: one }));
    const head = wrap('  ', title);
    const wrapped = items.map((item) => wrap('    ', item));
    const menu = {
      from: head.length,
      isMany: false,
      items: wrapped.map(({ length: height }, index) => ({ value: values[index] ?? '', height })),
    };
    return { lines: [...head, ...wrapped.flat(), ...wrap('  ', how)], menu };
  });
  return typed === undefined ? 'closed' : readConfirmation(typed, updates);
}
