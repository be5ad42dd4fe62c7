import { oneLine } from '../../api/text.js';
import { choicesOf, describeUpdate } from '../approval/choices.js';
import { describeRequest, type ShownBlock, type ShownLine } from '../approval/describe-request.js';
import { layOut } from '../approval/lay-out.js';
import { readChange } from '../approval/read-change.js';
import { whoAsks } from '../approval/who-asks.js';
import { describeAge } from '../output/describe-time.js';
import { describePath } from '../summaries/request-path.js';
import { describeQuestion, readQuestions } from '../approval/terminal-questions.js';
import { loadTextWidth } from '../output/text-width.js';
import type { WaitingRequest } from './waiting-requests.js';

const INDENT = '    ';

/** Describe a waiting request whole, with the commands that decide it. */
export async function describeWaiting(
  { troupe: { owner, cwd }, agents, request }: WaitingRequest,
  { width, now }: { readonly width: number | undefined; readonly now: number },
): Promise<readonly string[]> {
  const { requestId, at, agent } = request;
  const shown = describeRequest(
    request,
    whoAsks(agent),
    await readChange(request, new AbortController().signal),
  );
  const columns = width ?? Infinity;
  const { lines } = layOut(
    {
      ...shown,
      blocks: [
        ...(questionBlocks(request) ?? shown.blocks),
        ...pathBlocks(describePath(request.path, 'you', agents)),
        ...lastingBlocks(request),
      ],
      reminder: `troupe approve ${requestId}${request.kind === 'question' ? ' --answer TEXT' : ''} · troupe deny ${requestId}`,
    },
    { columns, text: await loadTextWidth(), isUnfolded: true },
  );
  const place = `${requestId} · ${describeAge(now - at)} · in ${oneLine(cwd, Infinity)} (pid ${owner.pid})`;
  return [place, ...lines.slice(1).map(({ text }) => text), ''];
}

/** The questions of a request with their options; undefined for another request. */
function questionBlocks({
  kind,
  input,
}: WaitingRequest['request']): readonly ShownBlock[] | undefined {
  const asked = kind === 'question' ? readQuestions(input) : undefined;
  return asked?.questions.map((question) => ({
    lines: describeQuestion(question).trimEnd().split('\n').map(indented),
  }));
}

function pathBlocks(path: string | undefined): readonly ShownBlock[] {
  return path === undefined ? [] : [{ lines: [indented(`Path: ${path}`)] }];
}

/** The rules of `--always`, by its scope. */
function lastingBlocks(request: WaitingRequest['request']): readonly ShownBlock[] {
  const { session, folder } = choicesOf(request, '');
  const [forSession] = session;
  const [forFolder] = folder;
  const lines = [
    ...(forSession === undefined
      ? []
      : [`--always session: allow ${describeUpdate(forSession)} until the session ends`]),
    ...(forFolder === undefined
      ? []
      : [
          `--always folder: allow ${describeUpdate(forFolder)} in this folder, in its local settings`,
        ]),
  ];
  return lines.length === 0 ? [] : [{ lines: lines.map(indented) }];
}

function indented(text: string): ShownLine {
  return { prefix: INDENT, text };
}
