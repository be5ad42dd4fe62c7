const COMPARED_CHARS = 300;

/**
 * Prepare the facts of a session that show the effects of its hooks.
 *
 * @param session result of `runHookSession`
 */
export function factsOf({ messages, told, inputs }) {
  const blocks = told.flat().flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const results = blocks.filter(({ type }) => type === 'tool_result');
  const asked = messages.filter(({ type }) => type === 'control_request');
  const ran = inputs.filter(({ event }) => event.startsWith('PostToolUse'));
  return {
    told: told.map((one) => JSON.stringify(one)).join('\n'),
    shown: messages.map((one) => JSON.stringify(one)).join('\n'),
    results: new Map(results.map((one) => [one.tool_use_id, one])),
    asked: new Set(asked.map(({ request }) => request.tool_use_id)),
    ran: new Map(ran.map(({ input }) => [input.tool_use_id, input.tool_input])),
  };
}

/** Whether a session shows an effect. @param id of the tool call, if it is known */
export function isObserved({ kind, text, input }, { event, id }, facts) {
  const { told, shown, results, asked, ran } = facts;
  switch (kind) {
    case 'adds':
      return told.includes(escaped(text));
    case 'blocks':
      if (event === 'PreToolUse')
        return (id === undefined ? [...results.values()] : [results.get(id)]).some((one) =>
          isRefused(one, text),
        );
      return (event.endsWith('Stop') ? told : shown).includes(escaped(text));
    case 'stops':
      return shown.includes(escaped(text));
    case 'allows':
      return !asked.has(id);
    case 'asks':
      return id === undefined || asked.has(id) || isRefused(results.get(id), '');
    case 'changes':
      return id === undefined || JSON.stringify(ran.get(id)) === JSON.stringify(input);
    default:
      throw new Error(`unknown effect ${kind}`);
  }
}

/** Whether the session shows words of a hook that must have no effect. */
export function hasWords(name, { told }) {
  return told.includes(escaped(`The hook ${name}`));
}

function isRefused(result, text) {
  const said = result?.is_error === true ? JSON.stringify(result.content) : '';
  return said !== '' && (said.includes(escaped(text)) || /denied by|hook/i.test(said)); // the model gets one of several denials
}

function escaped(text) {
  const start = Array.from(text.trim()).slice(0, COMPARED_CHARS).join('');
  return JSON.stringify(start).slice(1, -1);
}
