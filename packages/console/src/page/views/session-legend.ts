import { html } from 'lit-html';

const words: readonly (readonly [string, string])[] = [
  [
    'API server',
    'takes the session in from the client, asks whether the user may, finds the node and passes it on to its kubelet.',
  ],
  [
    'kubelet',
    'looks up the container and asks its runtime for a URL, which holds a token that opens one session and no other. A log ends here: it is a file of the node.',
  ],
  [
    'streaming server',
    'takes the token in, runs the command or finds the process, and holds its stdin, stdout and stderr, or the connections to its ports.',
  ],
  [
    'From, To',
    'what is spoken on either side of the hop, and with whom. A hop may translate between the two.',
  ],
  [
    'waits for',
    'that side takes no more at present. The hop holds what it has up to its bound, and then waits itself, so that in the end the process, or the client, has to wait: this is back-pressure, and nothing is lost by it.',
  ],
  [
    'with frames',
    'the hop passes a connection on as a whole: it counts the frames around the data and the pings that keep the connection open, too.',
  ],
  [
    'ended with exit code',
    'the command ended and its end was told to the client. A session that broke has no such code: nobody can say how its command ended.',
  ],
];

/** What the words of the sessions' page mean. */
export const sessionLegend = html`
  <details class="given">
    <summary>What the words mean</summary>
    <dl>${words.map(([word, meaning]) => html`<dt>${word}</dt><dd>${meaning}</dd>`)}</dl>
  </details>
`;
