/*
 * The only program of the guest: loads modules, asks the kernel about self-tests, runs the cases of
 * /cases through AF_ALG, unloads the module, and switches off. Each line that begins with "lutra:"
 * is a result for the host.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/if_alg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_CASES 256
#define SECONDS 900 /* for all cases */

/*
 * As lutra.soc.linux.cases writes them; the strings follow: key, IV, associated data, input,
 * expected output.
 */
struct header {
	char name[64], type[16], driver[48];
	uint32_t decrypt, error, tag;
	uint32_t key, iv, aad, input, output;
};

struct test {
	struct header header;
	uint8_t *key, *iv, *aad, *input, *output;
	int transform, request;
};

static struct test tests[MAX_CASES];
static size_t count;

static void fail(const char *what)
{
	printf("lutra: failed: %s: %s\n", what, strerror(errno));
}

static void *bytes(FILE *file, size_t length)
{
	void *to = malloc(length + 1);

	if (!to || fread(to, 1, length, file) != length) {
		fail("/cases is cut off");
		exit(1);
	}
	return to;
}

static void read_tests(void)
{
	FILE *file = fopen("/cases", "rb");
	struct test *t = tests;

	if (!file)
		return fail("/cases");
	for (; count < MAX_CASES && fread(&t->header, sizeof(t->header), 1, file) == 1;
	     count++, t++) {
		t->key = bytes(file, t->header.key);
		t->iv = bytes(file, t->header.iv);
		t->aad = bytes(file, t->header.aad);
		t->input = bytes(file, t->header.input);
		t->output = bytes(file, t->header.output);
	}
	fclose(file);
}

/* Lines of /modules: a path, then parameters. */
static void load_modules(void)
{
	FILE *file = fopen("/modules", "r");
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		char *path = strtok(line, " \n"), *parameters = strtok(NULL, "\n");
		int fd = path ? open(path, O_RDONLY) : -1;

		if (fd < 0 || syscall(SYS_finit_module, fd, parameters ? parameters : "", 0))
			fail(path ? path : "/modules");
		if (fd >= 0)
			close(fd);
	}
	if (file)
		fclose(file);
}

/* "lutra: algorithm DRIVER: RESULT" for each algorithm of the module. */
static void show_selftests(void)
{
	FILE *file = fopen("/proc/crypto", "r");
	char line[256], driver[128] = "", result[128];

	while (file && fgets(line, sizeof(line), file)) {
		sscanf(line, "driver : %127s", driver);
		if (sscanf(line, "selftest : %127s", result) == 1 && strstr(driver, "-lutra"))
			printf("lutra: algorithm %s: %s\n", driver, result);
	}
	if (file)
		fclose(file);
}

static int open_transform(const struct header *h, const uint8_t *key)
{
	struct sockaddr_alg address = { .salg_family = AF_ALG };
	int fd = socket(AF_ALG, SOCK_SEQPACKET, 0);

	memcpy(address.salg_type, h->type, sizeof(address.salg_type) - 1);
	memcpy(address.salg_name, h->driver, sizeof(h->driver));
	if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) ||
	    setsockopt(fd, SOL_ALG, ALG_SET_KEY, key, h->key) ||
	    (h->tag && setsockopt(fd, SOL_ALG, ALG_SET_AEAD_AUTHSIZE, NULL, h->tag)))
		return -1;
	return fd;
}

static void put_control(struct msghdr *message, struct cmsghdr **at, int type, const void *data,
			size_t length)
{
	(*at)->cmsg_level = SOL_ALG;
	(*at)->cmsg_type = type;
	(*at)->cmsg_len = CMSG_LEN(length);
	memcpy(CMSG_DATA(*at), data, length);
	*at = CMSG_NXTHDR(message, *at);
}

/* 0, or an errno. */
static int process(const struct test *t, uint8_t *output)
{
	const struct header *h = &t->header;
	uint32_t operation = h->decrypt ? ALG_OP_DECRYPT : ALG_OP_ENCRYPT;
	uint8_t iv[64] = { 0 }, control[256] = { 0 };
	struct iovec in[2] = { { t->aad, h->aad }, { t->input, h->input } };
	struct msghdr message = { .msg_iov = in, .msg_iovlen = 2, .msg_control = control };
	struct cmsghdr *at = (struct cmsghdr *)control;
	ssize_t length;

	message.msg_controllen = CMSG_SPACE(sizeof(operation)) +
				 CMSG_SPACE(sizeof(uint32_t) + h->iv) +
				 (h->tag ? CMSG_SPACE(sizeof(h->aad)) : 0);
	put_control(&message, &at, ALG_SET_OP, &operation, sizeof(operation));
	memcpy(iv, &h->iv, sizeof(h->iv));
	memcpy(iv + sizeof(h->iv), t->iv, h->iv);
	put_control(&message, &at, ALG_SET_IV, iv, sizeof(h->iv) + h->iv);
	if (h->tag)
		put_control(&message, &at, ALG_SET_AEAD_ASSOCLEN, &h->aad, sizeof(h->aad));
	if (sendmsg(t->request, &message, 0) < 0)
		return errno;

	/* What an AEAD writes begins with the associated data. */
	uint8_t *whole = malloc(h->aad + h->output + 1);

	length = read(t->request, whole, h->aad + h->output);
	if (length < 0) {
		free(whole);
		return errno;
	}
	memcpy(output, whole + h->aad, h->output);
	free(whole);
	return length == (ssize_t)(h->aad + h->output) ? 0 : EMSGSIZE;
}

/* 1 if the outcome is another than the expected one. */
static int run(const struct test *t, const char *pass)
{
	const struct header *h = &t->header;
	uint8_t *output = calloc(h->output + 1, 1);
	int error = process(t, output);
	int bad = error != (int)h->error || (!error && memcmp(output, t->output, h->output));
	size_t at = 0;

	if (error != (int)h->error) {
		printf("lutra: case %s (%s): %s\n", h->name, pass,
		       error ? strerror(error) : "no error");
	} else if (bad) {
		while (output[at] == t->output[at])
			at++;
		printf("lutra: case %s (%s): differs at byte %zu: %02x, not %02x\n", h->name, pass,
		       at, output[at], t->output[at]);
	}
	free(output);
	return bad;
}

/* All transforms are open at once: they are more than the device has contexts for keys. */
static int run_all(const char *pass)
{
	int bad = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		tests[i].transform = open_transform(&tests[i].header, tests[i].key);
		tests[i].request =
			tests[i].transform < 0 ? -1 : accept(tests[i].transform, NULL, 0);
		if (tests[i].request < 0)
			fail(tests[i].header.name);
	}
	for (i = 0; i < 2 * count; i++) {
		/* The second time in another order, so that keys have to come back. */
		const struct test *t = &tests[i < count ? i : 2 * count - 1 - i];

		bad += t->request < 0 || run(t, pass);
	}
	for (i = 0; i < count; i++) {
		close(tests[i].request);
		close(tests[i].transform);
	}
	return bad;
}

static void run_together(int processes)
{
	int i, status, bad = 0;

	fflush(stdout);
	for (i = 0; i < processes; i++) {
		if (fork() == 0) {
			alarm(SECONDS);
			exit(run_all("together") != 0);
		}
	}
	for (i = 0; i < processes; i++)
		if (wait(&status) < 0 || status)
			bad++;
	printf("lutra: %d of %d processes at once failed\n", bad, processes);
}

int main(void)
{
	pid_t child;
	int status;

	setvbuf(stdout, NULL, _IOLBF, 0);
	mkdir("/proc", 0755);
	mount("proc", "/proc", "proc", 0, NULL);
	load_modules();
	show_selftests();
	read_tests();
	child = fork();
	if (child == 0) {
		alarm(SECONDS);
		exit(run_all("alone") != 0);
	}
	waitpid(child, &status, 0);
	printf("lutra: %zu cases, %s\n", count, status ? "not all as expected" : "all as expected");
	run_together(4);
	if (syscall(SYS_delete_module, "lutra", O_NONBLOCK))
		fail("unloading");
	else
		printf("lutra: unloaded\n");
	printf("lutra: end\n");
	reboot(RB_POWER_OFF);
	return 0;
}
