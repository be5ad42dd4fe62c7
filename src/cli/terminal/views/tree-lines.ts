import { totalTokens } from '../../../api/messages.js';
import { oneLine } from '../../../api/text.js';
import {
  ACTIVITY_WORDS,
  type AgentView,
  type TreeNode,
} from '../../../api/sessions/session-view.js';
import { callLine } from '../../summaries/call-line.js';
import { agentLabel } from '../../summaries/tool-subject.js';
import { elapsed } from '../screen/frame.js';
import { plainLine, type Line } from '../lines/line.js';

/** A node of the tree with its depth. */
export type TreeRow = { readonly node: TreeNode; readonly depth: number };

const WIDTH = 60;
/** Width of a screen that has room for all keys in words. */
const WIDE = 80;
const TREE_KEYS = {
  long: 'Esc closes · ↑ ↓ · Enter opens · m message · i interrupt · b background · k kill',
  short: 'Esc closes · ↑ ↓ · Enter · m · i · b · k',
};

/** The nodes of a tree from top to bottom. */
export function treeRows(nodes: readonly TreeNode[], depth = 0): readonly TreeRow[] {
  return nodes.flatMap((node) => [{ node, depth }, ...treeRows(node.children, depth + 1)]);
}

/** The tree as lines, the selected row among them. */
export function treeLines(
  rows: readonly TreeRow[],
  {
    selected,
    height,
    columns,
    now,
  }: {
    readonly selected: number;
    readonly height: number;
    readonly columns: number;
    readonly now: number;
  },
): readonly Line[] {
  const deepest = Math.floor(columns / 5);
  const from = Math.max(Math.min(selected - Math.floor(height / 2), rows.length - height), 0);
  return [
    plainLine(columns < WIDE ? TREE_KEYS.short : TREE_KEYS.long, 'dim'),
    ...rows.slice(from, from + height).map(({ node, depth }, index): Line => {
      const isSelected = from + index === selected;
      const { agent, task, requests } = node;
      const { description, status, startTime, endTime } = task.state;
      const name =
        agent === undefined || agent.name === description || columns < WIDE
          ? description
          : `${agent.name}: ${description}`;
      const isLive = status === 'running' || status === 'pending';
      const state =
        requests.length > 0
          ? 'needs a decision'
          : isLive && agent
            ? ACTIVITY_WORDS[agent.activity]
            : status;
      const style = isSelected ? { style: 'selected' as const } : {};
      const age = elapsed((endTime ?? now) - startTime);
      return [
        { text: `${' '.repeat(Math.min(2 * depth, deepest))}${isSelected ? '▸' : ' '} `, ...style },
        { text: oneLine(name, WIDTH), isCutFirst: true, ...style },
        {
          text: ` · ${state} · ${age}${columns < WIDE ? '' : tokensOf(node)}`,
          style: requests.length > 0 ? ('warning' as const) : ('dim' as const),
        },
      ];
    }),
  ];
}

function tokensOf({ total: { usage } }: TreeNode): string {
  const tokens = totalTokens(usage);
  return tokens === 0 ? '' : ` · ${tokens} tokens`;
}

/** The conversation of an agent as lines; `back` lines from its end are below the shown ones. */
export function conversationLines(
  agent: AgentView,
  {
    back,
    height,
    columns,
  }: { readonly back: number; readonly height: number; readonly columns: number },
): readonly Line[] {
  const older = `(${agent.dropped} older entries: troupe log has them)`;
  const shown = agent.items.flatMap((item): readonly Line[] => {
    switch (item.type) {
      case 'message':
        return textLines(`${agentLabel(item.from)} > ${item.text}`, 'strong');
      case 'text':
        return textLines(item.text);
      case 'thinking':
        return textLines(item.text, 'dim');
      case 'call':
        return callLines(agent, item.id);
      case 'compacted':
        return [plainLine('(the conversation was compacted)', 'dim')];
      case 'forked':
        return [plainLine(`(forked from ${item.from})`, 'dim')];
      case 'failure':
        return textLines(item.message, 'removed');
      default:
        return item satisfies never;
    }
  });
  const lines = agent.dropped === 0 ? shown : [plainLine(older, 'dim'), ...shown];
  const end = Math.max(lines.length - back, Math.min(height, lines.length));
  return [
    plainLine(
      columns < WIDE
        ? `${oneLine(agent.name, 12)} · Esc returns · ↑ ↓ · m`
        : `${oneLine(agent.name, WIDTH)} · Esc returns · ${agent.activity} · ↑ ↓ scroll · m messages`,
      'dim',
    ),
    ...lines.slice(Math.max(end - height, 0), end),
  ];
}

function callLines({ calls }: AgentView, id: string): readonly Line[] {
  const call = calls.get(id);
  if (call === undefined) return [];
  const { result, tool, input } = call;
  return [
    plainLine(`* ${callLine(tool, input, WIDTH)}`, 'accent'),
    ...(result === undefined
      ? []
      : [plainLine(`  ${oneLine(result.text, 2 * WIDTH)}`, result.isError ? 'removed' : 'dim')]),
  ];
}

function textLines(text: string, style?: Parameters<typeof plainLine>[1]): readonly Line[] {
  return text.split('\n').map((line) => plainLine(line, style));
}
