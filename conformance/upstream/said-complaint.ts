/** The errors that a program of Kubernetes logs with a message, as klog writes them: quoted, or in lines of their own. */
export function complaintsIn(said: string, message: string): string[] {
  const [, ...rests] = said.split(`"${message}" err=`);
  return rests.flatMap((rest) => {
    const [, quoted, lines] = /^(?:("(?:[^"\\]|\\.)*")|<\n([\s\S]*?)\n >)/.exec(rest) ?? [];
    if (quoted !== undefined) return [JSON.parse(quoted)];
    return lines === undefined ? [] : [lines.replace(/^\t/gm, '')];
  });
}
