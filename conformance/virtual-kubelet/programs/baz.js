// A container of the suite.
setInterval(() => {}, 1000);
