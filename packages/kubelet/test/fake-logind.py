"""systemd-logind as far as a kubelet asks it, on the bus of DBUS_SYSTEM_BUS_ADDRESS, by libsystemd.

Arguments: the longest delay in seconds, the file that replaces it when the unit is told to read it, and `relay` where shutdowns
that anybody announces are announced by it. Lines of its input
announce ("shutdown") and cancel ("cancel") a shutdown; its output tells what it is asked and how many locks are held.
"""

import ctypes
import os
import re
import select
import sys

sd = ctypes.CDLL('libsystemd.so.0')
sd.sd_bus_message_get_member.restype = ctypes.c_char_p
sd.sd_bus_message_get_sender.restype = ctypes.c_char_p
path, interface = b'/org/freedesktop/login1', b'org.freedesktop.login1.Manager'
delay_seconds, config, relays = float(sys.argv[1]), sys.argv[2], 'relay' in sys.argv[3:]
preparing = False
locks = []


def ok(result):
    if result < 0:
        raise OSError(-result, os.strerror(-result))
    return result


def say(words):
    print(words, flush=True)


def strings(message, count):
    values = [ctypes.c_char_p() for _ in range(count)]
    ok(sd.sd_bus_message_read(message, b's' * count, *map(ctypes.byref, values)))
    return [value.value.decode() for value in values]


def announce(is_coming):
    global preparing
    preparing = is_coming
    ok(sd.sd_bus_emit_signal(bus, path, interface, b'PrepareForShutdown', b'b', ctypes.c_int(is_coming)))


def answer(message, member):
    global delay_seconds
    if member == b'Get':
        name = strings(message, 2)[1]
        if name == 'PreparingForShutdown':
            ok(sd.sd_bus_reply_method_return(message, b'v', b'b', ctypes.c_int(preparing)))
        else:
            ok(sd.sd_bus_reply_method_return(message, b'v', b't', ctypes.c_uint64(int(delay_seconds * 1e6))))
    elif member == b'Inhibit':
        what, who, _, mode = strings(message, 4)
        mine, theirs = os.pipe()
        ok(sd.sd_bus_reply_method_return(message, b'h', ctypes.c_int(theirs)))
        os.close(theirs)
        locks.append(mine)
        say(f'locked {what} {who} {mode}')
    elif member == b'KillUnit':
        say('reload ' + ' '.join(strings(message, 2)))
        delay_seconds = float(re.search(r'^InhibitDelayMaxSec=(\d+)$', open(config).read(), re.M)[1])
        ok(sd.sd_bus_reply_method_return(message, b''))
    elif member == b'PrepareForShutdown' and sd.sd_bus_message_get_sender(message) != own_name.value:
        is_coming = ctypes.c_int()
        ok(sd.sd_bus_message_read(message, b'b', ctypes.byref(is_coming)))
        announce(bool(is_coming.value))


bus = ctypes.c_void_p()
ok(sd.sd_bus_open_system(ctypes.byref(bus)))
for name in (b'org.freedesktop.login1', b'org.freedesktop.systemd1'):
    ok(sd.sd_bus_request_name(bus, name, ctypes.c_uint64(0)))
own_name = ctypes.c_char_p()
ok(sd.sd_bus_get_unique_name(bus, ctypes.byref(own_name)))
if relays:
    ok(sd.sd_bus_add_match(bus, None, b"type='signal',member='PrepareForShutdown'", None, None))
say('ready')
while True:
    message = ctypes.c_void_p()
    if ok(sd.sd_bus_process(bus, ctypes.byref(message))):
        if message:
            answer(message, sd.sd_bus_message_get_member(message))
            sd.sd_bus_message_unref(message)
        continue
    for fd in select.select([sd.sd_bus_get_fd(bus), 0, *locks], [], [])[0]:
        if fd == 0:
            line = sys.stdin.readline()
            if not line:
                sys.exit()
            announce(line.strip() == 'shutdown')
        elif fd in locks:
            locks.remove(fd)
            os.close(fd)
            say(f'released, {len(locks)} left')
