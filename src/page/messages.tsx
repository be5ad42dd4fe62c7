import { unmistakable } from '../core/text/printable.js';
import { selectMessages } from '../view/select-messages.js';
import { chosenAgent, nameOf, view } from './state.js';
import { clock } from './words.js';

/** Most messages that are drawn: the newest. */
const MOST = 200;
const MOST_CHARACTERS = 300;

/** Who wrote to whom. */
export function Messages() {
  const messages = selectMessages(view.value);
  const left = Math.max(0, messages.length - MOST);
  if (messages.length === 0) return <p>No message yet.</p>;
  return (
    <>
      {left > 0 ? <p class="facts">{left} earlier messages are in the conversations.</p> : null}
      <ol class="messages">
        {messages.slice(left).map(({ kind, from, to, text, sentAt, seenAt }, index) => (
          <li key={left + index} class={`item ${kind}`}>
            <time>{clock(sentAt)}</time>
            <b>
              <bdi>{unmistakable(nameOf(from))}</bdi> →{' '}
              <button type="button" class="name" onClick={() => (chosenAgent.value = to)}>
                <bdi>{unmistakable(nameOf(to))}</bdi>
              </button>
            </b>{' '}
            <span class="kind">{kind}</span>{' '}
            <span class={`state ${seenAt === undefined ? 'needs-you' : 'done'}`}>
              {seenAt === undefined ? 'not seen' : `seen ${clock(seenAt)}`}
            </span>
            <p>
              {unmistakable(text.slice(0, MOST_CHARACTERS))}
              {text.length > MOST_CHARACTERS ? '…' : ''}
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}
