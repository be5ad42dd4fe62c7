// Writes docs/inside/machines.md: every machine of .build/modules/machines as a Mermaid state diagram, drawn from its own definition.
// `--check` writes nothing and exits with 1 if the file is stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { labelOf, loadMachines, transitionsOf } from './machine-parts.mjs';

const root = new URL('..', import.meta.url);
const file = new URL('docs/inside/machines.md', root);

/** The purpose of each machine. A machine without an entry is an error. */
const ABOUT = {
  orchestrator: 'The root of a tree: its sessions, and the permission desk.',
  task: "The lifecycle of every task, for every kind of work. The state is the task's status.",
  supervisor:
    'A part of the children of a task with many children, or of the sessions. It forwards messages in both directions.',
  agent: 'The turns of an agent: messages, a model request, the tool calls of its reply.',
  toolCall: 'One tool call: validated, decided, run, with exactly one result.',
  localTool: 'One tool call without an agent: a step of a workflow that names a tool or a command.',
  permissionDesk: 'The permission requests that wait for an approver, one actor each.',
  workflow:
    'Steps in their order: which step begins, is tried again, or is skipped. The context has the status of each.',
  scheduler: 'The scheduled prompts of agents, and the time of the next one.',
  mcpConnection: 'The connection to one MCP server, with a limited number of reconnects.',
  permissionRequest:
    'One permission request: exactly one decision, and a receipt for every answer.',
};

const text = await format(render(await orderedMachines()), {
  ...(await resolveConfig(file)),
  parser: 'markdown',
});
const isFresh = existsSync(file) && readFileSync(file, 'utf8') === text;
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (!isFresh) {
  process.stderr.write('docs/inside/machines.md is stale. Run: npm run docs:machines\n');
  process.exitCode = 1;
}

async function orderedMachines() {
  const machines = await loadMachines(new URL('.build/modules/machines/', root));
  const order = Object.keys(ABOUT);
  const unknown = [...machines.keys()].find((id) => !order.includes(id));
  if (unknown !== undefined)
    throw new Error(`scripts/draw-machines.mjs says nothing of ${unknown}.`);
  return order.map((id) => {
    const machine = machines.get(id);
    if (machine === undefined) throw new Error(`.build/modules/machines has no machine ${id}.`);
    return machine;
  });
}

function render(machines) {
  return `# The statecharts

\`npm run docs:machines\` draws this page from the machines; a test fails if it is stale. Names in brackets are
guards; \`if\` is a guard without a name. The table below a drawing lists the events that a state handles without leaving it. Most of them change no
state; an arrow names the inner state that the event leads to.
${machines.map(section).join('')}`;
}

function section(machine) {
  const { lines, inner } = drawing(machine);
  const rows = inner.map(
    ([state, events]) => `| \`${state}\` | ${events.map((e) => `\`${e}\``).join(', ')} |`,
  );
  const table =
    rows.length === 0 ? '' : `\n| in | taken within it |\n| --- | --- |\n${rows.join('\n')}\n`;
  const picture =
    lines.length === 0 ? '' : `\n\`\`\`mermaid\nstateDiagram-v2\n${lines.join('\n')}\n\`\`\`\n`;
  return `\n## ${machine.id}\n\n${ABOUT[machine.id]}\n${picture}${table}`;
}

function drawing(machine) {
  const lines = [];
  const inner = [];
  const arrows = new Map();
  const draw = (node, indent) => {
    takeTransitions(node);
    const pad = '  '.repeat(indent);
    const [first] = node.initial?.target ?? [];
    if (first !== undefined) lines.push(`${pad}[*] --> ${idOf(first)}`);
    for (const child of Object.values(node.states)) {
      const isCompound = Object.keys(child.states).length > 0;
      lines.push(`${pad}state "${child.key}" as ${idOf(child)}${isCompound ? ' {' : ''}`);
      draw(child, indent + 1);
      if (isCompound) lines.push(`${pad}}`);
      if (child.type === 'final') lines.push(`${pad}${idOf(child)} --> [*]`);
    }
  };
  const takeTransitions = (node) => {
    const events = new Set();
    for (const transition of transitionsOf(node)) {
      const targets = transition.target ?? [];
      if (targets.length === 0) events.add(labelOf(transition));
      for (const target of targets) {
        if (target.id.startsWith(`${node.id}.`)) {
          events.add(`${labelOf(transition)} → ${target.key}`); // Mermaid draws no arrow into its own beginning
          continue;
        }
        const arrow = `${idOf(node)} --> ${idOf(target)}`;
        arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(labelOf(transition)));
      }
    }
    if (events.size > 0) inner.push([pathOf(node), [...events]]);
  };
  draw(machine.root, 1);
  for (const [arrow, labels] of arrows) lines.push(`  ${arrow}: ${[...labels].join(' / ')}`);
  return { lines, inner };
}

function idOf(node) {
  return node.id.replaceAll(/[^0-9A-Za-z]/g, '_');
}

function pathOf(node) {
  return node.path.length === 0 ? 'any state' : node.path.join('.');
}
