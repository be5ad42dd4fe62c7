import type {
  AgentContext,
  PermissionOption,
  RequestPermissionResponse,
  SessionUpdate,
  ToolCallContent,
} from '@agentclientprotocol/sdk';
import { methods } from '@agentclientprotocol/sdk';
import { messageOf } from '../../api/errors.js';
import { readFileChange, type FileChange } from '../../api/files/file-change.js';
import { oneLine, unmistakable } from '../../api/text.js';
import type {
  AskHandler,
  EditorFiles,
  PermissionAnswer,
  PermissionRequest,
  PermissionUpdate,
} from '../../api/types.js';
import { choicesOf, describeUpdate } from '../approval/choices.js';
import { describeRequest, type ShownChange } from '../approval/describe-request.js';
import { whoAsks } from '../approval/who-asks.js';
import { codeBlock, textContent, toDiff } from './tool-calls.js';
import type { CallUpdates } from './call-updates.js';

/** The session of a client, as permission requests need it. */
export type Asking = {
  readonly client: AgentContext;
  readonly sessionId: string;
  readonly calls: Pick<CallUpdates, 'begin' | 'describe' | 'show'>;
  /** The client's own files, if it offers them. */
  readonly editor: EditorFiles | undefined;
  readonly send: (updates: readonly SessionUpdate[]) => Promise<void>;
  /** The file for a person's rule for this folder; if absent no such rule is offered. */
  readonly folderFile: string | undefined;
};

/**
 * Put permission requests to a client: everything that the call would do, and one option for each decision. A client that
 * cancels ends the turn. A client that fails to answer denies, with the reason.
 */
export function createPermissionHandler(asking: Asking): AskHandler {
  return async (request, { signal }) => {
    const choices = optionsOf(request, asking.folderFile);
    let outcome: RequestPermissionResponse['outcome'];
    try {
      const call = callOf(request);
      await asking.send(asking.calls.show(call));
      const content = await describeContent(request, asking.editor, signal);
      const toolCall = asking.calls.describe({ ...call, content });
      const options = choices.map(({ option }) => option);
      ({ outcome } = await asking.client.request(
        methods.client.session.requestPermission,
        { sessionId: asking.sessionId, toolCall, options },
        { cancellationSignal: signal, stopWaitingOnCancel: true },
      ));
    } catch (error) {
      if (signal.aborted) return undefined; // decided elsewhere, or withdrawn
      return { behavior: 'deny', message: `The client could not answer: ${messageOf(error)}` };
    }
    if (outcome.outcome === 'cancelled') return { behavior: 'deny', interrupt: true };
    const { optionId } = outcome;
    const chosen = choices.find(({ option }) => option.optionId === optionId);
    if (chosen === undefined)
      return { behavior: 'deny', message: `The client chose an unknown option: ${optionId}` };
    if (chosen.answer.behavior === 'allow')
      await asking.send(asking.calls.begin(request.toolUseId));
    return chosen.answer;
  };
}

type Choice = { readonly option: PermissionOption; readonly answer: PermissionAnswer };

/** The options of a request: once, each update that would last, and no. */
export function optionsOf(
  request: Pick<PermissionRequest, 'kind' | 'suggestions'>,
  folderFile: string | undefined,
): readonly Choice[] {
  const { isPlan, session, folder } = choicesOf(request, folderFile);
  const allows = (updates: readonly PermissionUpdate[], scope: string, id: string): Choice[] =>
    updates.map((update, index) => ({
      option: {
        optionId: `${id}-${index + 1}`,
        name: `${scope} ${describeUpdate(update)}`,
        kind: 'allow_always',
      },
      answer: { behavior: 'allow', updatedPermissions: [update] },
    }));
  const always = `Always allow in this folder (writes ${folderFile}):`;
  return [
    {
      option: {
        optionId: 'allow',
        name: isPlan ? 'Carry it out' : 'Allow once',
        kind: 'allow_once',
      },
      answer: { behavior: 'allow' },
    },
    ...allows(session, isPlan ? 'Carry it out, with' : 'Allow in this session:', 'session'),
    ...allows(folder, always, 'folder'),
    {
      option: {
        optionId: 'reject',
        name: isPlan ? 'Keep planning' : 'Reject',
        kind: 'reject_once',
      },
      answer: { behavior: 'deny' },
    },
  ];
}

function callOf({ toolUseId: id, toolName: name, input, agent }: PermissionRequest) {
  const speaker = agent.type === 'main' ? undefined : (agent.name ?? agent.description);
  return { id, name, input, speaker };
}

/** Everything that is approved: the change of files as diffs, every other field of the input as text. */
async function describeContent(
  request: PermissionRequest,
  editor: EditorFiles | undefined,
  signal: AbortSignal,
): Promise<ToolCallContent[]> {
  const { input, agent, kind } = request;
  const { diffs, shown } = await readChange(request, editor, signal);
  const { blocks, why } = describeRequest(request, whoAsks(agent), shown);
  const isPlan = kind === 'plan' && typeof input['plan'] === 'string';
  const lines = blocks.flatMap(({ title, lines: rest }) => [...(title ? [title] : []), ...rest]);
  const text = lines
    .map(({ prefix, text: line }) => `${prefix.replace(/^ {4}/, '')}${line}`)
    .join('\n');
  return [
    ...diffs,
    ...(isPlan ? [textContent(String(input['plan']))] : []),
    ...(isPlan || text === '' ? [] : [textContent(codeBlock(text))]),
    ...(why === '' ? [] : [textContent(oneLine(unmistakable(why), 500))]),
  ];
}

type ReadChange = { readonly diffs: ToolCallContent[]; readonly shown: ShownChange | undefined };

async function readChange(
  request: PermissionRequest,
  editor: EditorFiles | undefined,
  signal: AbortSignal,
): Promise<ReadChange> {
  try {
    const change = await readFileChange(request, signal, editor);
    return change === undefined ? { diffs: [], shown: undefined } : toShown(change);
  } catch (error) {
    if (signal.aborted) throw error;
    return unknown(messageOf(error));
  }
}

const EDIT_FIELDS = ['old_string', 'new_string'];

/** The diffs of a change, and the fields of the input that they show. */
function toShown(change: FileChange): ReadChange {
  const say = (what: string, fields: readonly string[] = []): ShownChange => ({
    what,
    diff: [],
    fields,
  });
  switch (change.kind) {
    case 'create': {
      const fields = change.by === 'Edit' ? EDIT_FIELDS : ['content'];
      const diffs = [toDiff(change.path, null, change.after)];
      return { diffs, shown: say('Creates this file.', fields) };
    }
    case 'edit': {
      const diffs = [toDiff(change.path, change.before, change.after)];
      const places = change.places === 1 ? '' : ` in ${change.places} places`;
      return { diffs, shown: say(`Changes this file${places}.`, EDIT_FIELDS) };
    }
    case 'edits':
      return {
        diffs: change.files.map((file) =>
          toDiff(file.path, file.isNew ? null : file.before, file.after),
        ),
        shown: say(`Changes ${change.files.length} files.`, ['edits']),
      };
    case 'cell': {
      const what = { replace: 'Changes', insert: 'Inserts', delete: 'Deletes' }[change.mode];
      return {
        diffs: [toDiff(change.path, change.before, change.after)],
        shown: say(`${what} this cell.`, ['new_source']),
      };
    }
    case 'replace':
      return {
        diffs: [toDiff(change.path, change.before, change.after)],
        shown: say('Replaces this file, which exists.', ['content']),
      };
    case 'replace by much':
      return { diffs: [], shown: say('Replaces this file.') };
    case 'replace unseen':
      return {
        diffs: [],
        shown: say(`Replaces this file. Its text cannot be shown: ${change.why}.`),
      };
    case 'unknown':
      return unknown(change.why);
    default:
      return change satisfies never;
  }
}

function unknown(why: string): ReadChange {
  const what = `The change cannot be shown: ${why}.`;
  return { diffs: [], shown: { what, diff: [], fields: [] } };
}
