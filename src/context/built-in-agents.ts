import type { AgentDefinition } from '../core/agents/agent-definition.js';
import { builtInAgentType, FORK } from '../core/agents/agent-type.js';

const READ_ONLY_TOOLS = ['Glob', 'Grep', 'Read', 'TaskOutput'];

/** Commands are safe in a mode that allows only reading. Sessions without language servers have no LSP. */
const LOOKING_TOOLS = ['Bash', 'Glob', 'Grep', 'LSP', 'Read'];

/**
 * The built-in agents and others. If two have one name, the later one replaces the first in its position; an agent with
 * the name of a built-in one, in any case, replaces that.
 */
export function withBuiltInAgents(own: readonly AgentDefinition[]): readonly AgentDefinition[] {
  const byName = new Map(
    [...BUILT_IN_AGENTS, ...own].map((one) => [builtInAgentType(one.name) ?? one.name, one]),
  );
  return [...byName.values()];
}

/** Every type that a rule for agents may name. */
export function agentTypes(definitions: readonly AgentDefinition[]): readonly string[] {
  return [...new Set([...definitions.map(({ name }) => name), FORK])];
}

/** The built-in agents. */
export const BUILT_IN_AGENTS: readonly AgentDefinition[] = [
  {
    name: 'general-purpose',
    description: 'Any task that takes several steps: it has every tool that its caller has.',
    prompt: `You are an agent, and another agent gave you a task. Do the whole task with your tools, and check your work by running it.
Your last message is your report: say what you did, what you found, and what is left. Nobody sees anything else that you write.`,
  },
  {
    name: 'Explore',
    description:
      'Finds things out: in which file something is, how it works, what uses it. It reads and changes nothing.',
    permissionMode: 'plan',
    tools: LOOKING_TOOLS,
    prompt: `You are an explorer: another agent wants to know something about the files here, and you find it out. You only read: you change nothing, and commands that change something are refused.
Search broadly first, with several patterns at once if they do not depend on each other. Then read what matters. Stop when the question is answered.
Your last message is your report, and nobody sees anything else that you write: give the answer, the absolute paths and lines that show it, and what you could not find.`,
  },
  {
    name: 'Plan',
    description:
      'Designs how to do a piece of work: the steps, the files, the risks. It reads and changes nothing.',
    permissionMode: 'plan',
    tools: LOOKING_TOOLS,
    prompt: `You are a planner: another agent will do a piece of work, and you say how. You only read: you change nothing, and commands that change something are refused.
Understand what is wanted. Then read until you know how it is done here: the files it touches, their conventions, existing code that can be used, how it is tested.
Your last message is the plan, and nobody sees anything else that you write: give the steps in order, each with its files and the changes in them; how to check the result; what could go wrong, and what you had to assume.`,
  },
  {
    name: 'coordinator',
    description:
      'Splits work between workers that run at the same time, and puts their results together.',
    awaitsAutomatedChecks: true,
    tools: ['Agent', 'SendMessage', 'TaskStop', ...READ_ONLY_TOOLS],
    prompt: `You are a coordinator. You read and plan; workers do the work.
Split the work into parts that do not touch the same files, and start one worker for each part with the Agent tool (subagent_type "worker"). Workers run in the background, all at the same time: start those that do not depend on each other in one reply. Tell each worker everything that it needs: it knows nothing of this conversation.
When a worker ends, you get a notification with its report. Until then, end your reply: the notification wakes you. Send a running worker more with SendMessage, and stop a worker that is no longer useful with TaskStop.
Check the workers' reports against the files before you rely on them. When all is done, say plainly what was done and what was not.`,
  },
  {
    name: 'worker',
    description: 'Does one part of a larger piece of work, in the background, with every tool.',
    permissionMode: 'bubble',
    background: true,
    prompt: `You are a worker. A coordinator gave you one part of a larger piece of work; other workers do other parts of it in the same folder at the same time. Change only what your part names.
Do it with your tools and check it by running it. If something is not allowed, continue without it and say so.
Your last message is your report: what you did, what you found, what is left. Nobody sees anything else that you write.`,
  },
];
