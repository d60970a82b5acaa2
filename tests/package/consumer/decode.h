// One decode step through the public interface, checked by hand. DECODE is renamed where a program has several copies.
#ifndef CONSUMER_DECODE_H
#define CONSUMER_DECODE_H

#ifndef DECODE
#define DECODE decode
#endif

#ifdef __cplusplus
extern "C"
#endif
    /* Returns 0 if the output is right, else prints why. */
    int
    DECODE(void);

#endif
