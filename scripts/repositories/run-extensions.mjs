import { createOrchestrator, createScriptedModel } from '../../dist/index.js';

/** Ends a wait that nothing else ends. */
const MOST_MS = 20_000;

/**
 * Run all skills, commands and agents of a folder in one session with a scripted model: a person types each skill and
 * command, the main agent uses each skill by the tool Skill and starts each agent by the tool Agent.
 *
 * @returns the reasons of those that do not run, by kind of run and name
 */
export async function runAll({ cwd, env, skills = [], agents = [] }) {
  const typed = skills.filter(({ userInvocable }) => userInvocable);
  const used = skills.filter(({ disableModelInvocation }) => !disableModelInvocation);
  const calls = [
    ...used.map(({ name }) => ({ name: 'Skill', input: { skill: name, args: 'one two' } })),
    ...agents.map(({ name }) => ({
      name: 'Agent',
      input: { description: 'Answer', prompt: 'Answer.', subagent_type: name },
    })),
  ];
  const failures = [];
  const { model, current } = playCalls(calls, failures);
  const troupe = createOrchestrator({
    cwd,
    env,
    skills,
    agents,
    home: `${cwd}-home`,
    persists: false,
    maxDepth: 3,
    model,
    canUseTool: () => Promise.resolve({ behavior: 'allow' }),
  });
  try {
    const session = troupe.session({});
    void drain(session);
    for (const { name } of typed) {
      const reason = await withinTime(session.useSkill(name, 'one two'));
      if (reason !== undefined) failures.push({ run: 'typed', name, reason });
    }
    session.end();
    await withinTime(session.outcome);
    if (calls.length > 0) {
      const playing = troupe.session({ prompt: 'Make all calls.' });
      void drain(playing);
      const reason = await withinTime(playing.result, MOST_MS + calls.length * 1_000);
      if (reason !== undefined) failures.push({ ...current(), reason });
    }
  } finally {
    await troupe.close();
  }
  return {
    failures,
    counts: { typed: typed.length, used: used.length, started: agents.length },
  };
}

/** The main agent makes the calls one after another; all other agents answer at once. */
function playCalls(calls, failures) {
  let next = 0;
  const current = () => {
    const { name, input } = calls[next - 1];
    return name === 'Skill'
      ? { run: 'used', name: input.skill }
      : { run: 'started', name: input.subagent_type };
  };
  const model = createScriptedModel(({ messages, tools }) => {
    const first = JSON.stringify(messages[0].content);
    if (!first.includes('Make all calls.') || tools.length === 0) return { text: 'Done.' };
    const newest = messages.at(-1).content.find(({ type }) => type === 'tool_result');
    if (newest?.is_error === true) failures.push({ ...current(), reason: textOf(newest) });
    const call = calls[next++];
    return call === undefined ? { text: 'Done.' } : { tools: [call] };
  });
  return { model, current };
}

function textOf({ content }) {
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join(' ');
}

async function drain(session) {
  try {
    for await (const _ of session);
  } catch {
    // the outcome has the reason
  }
}

/** @returns why a promise rejected or is late */
async function withinTime(promise, mostMs = MOST_MS) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(`it has not ended after ${mostMs} ms`), mostMs);
  });
  try {
    return await Promise.race([promise.then(() => undefined), late]);
  } catch (error) {
    return error.message;
  } finally {
    clearTimeout(timer);
  }
}
