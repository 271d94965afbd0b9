/*
 * This is a RANDOMLY GENERATED PROGRAM.
 *
 * Generator: csmith 2.3.0
 * Git version: 30dccd7
 * Options:   --seed 192 --max-funcs 4 --max-block-depth 3 --max-array-len-per-dim 6 --no-bitfields
 * Seed:      192
 */

#include "csmith.h"


static long __undefined;

/* --- Struct/Union Declarations --- */
union U0 {
   volatile int8_t * f0;
   const uint8_t  f1;
   volatile uint16_t  f2;
};

union U1 {
   int8_t  f0;
   int8_t  f1;
   uint64_t  f2;
   volatile uint8_t  f3;
   uint8_t  f4;
};

union U2 {
   int64_t  f0;
};

/* --- GLOBAL VARIABLES --- */
static volatile int32_t g_2[3][1] = {{0xB8FAAAEBL},{0xB8FAAAEBL},{0xB8FAAAEBL}};
static int32_t g_3 = 1L;
static int32_t g_7 = (-4L);
static uint32_t g_11 = 0x55FFF839L;
static int8_t g_28[3][1][3] = {{{(-9L),(-9L),(-9L)}},{{(-9L),(-9L),(-9L)}},{{(-9L),(-9L),(-9L)}}};
static int8_t *g_29 = &g_28[0][0][0];
static volatile union U0 g_34 = {0};/* VOLATILE GLOBAL g_34 */
static uint64_t g_36[2] = {1UL,1UL};
static int64_t g_39 = 0xE905F4D0C653DDB2LL;
static union U2 g_40 = {0x61E7FF51885A1EC8LL};
static int16_t g_50 = (-2L);
static uint8_t g_74 = 0xFFL;
static int32_t * volatile g_76 = &g_7;/* VOLATILE GLOBAL g_76 */
static int16_t g_91 = 0L;
static uint8_t g_93[2] = {0UL,0UL};
static int32_t *g_98[6] = {&g_3,&g_3,&g_3,&g_3,&g_3,&g_3};
static int32_t ** volatile g_97 = &g_98[1];/* VOLATILE GLOBAL g_97 */
static int32_t ** volatile g_99 = &g_98[1];/* VOLATILE GLOBAL g_99 */
static union U1 g_109[3][5][3] = {{{{0x11L},{0x2AL},{0x2AL}},{{0x41L},{0x1CL},{1L}},{{0x11L},{0x54L},{0x11L}},{{0x8AL},{0x9BL},{1L}},{{4L},{4L},{0x2AL}}},{{{0xB0L},{0x9BL},{0x41L}},{{0x2AL},{0x54L},{-10L}},{{0xB0L},{0x1CL},{0xB0L}},{{0x2AL},{0x11L},{0x54L}},{{0x41L},{0x9BL},{0xB0L}}},{{{-10L},{0x11L},{0x11L}},{{0xB0L},{-4L},{-10L}},{{-10L},{4L},{-10L}},{{0x41L},{0x83L},{-10L}},{{0x2AL},{0x2AL},{0x11L}}}};
static int32_t ** volatile g_110 = &g_98[1];/* VOLATILE GLOBAL g_110 */
static volatile union U0 g_120[6] = {{0},{0},{0},{0},{0},{0}};
static int32_t ** volatile g_137 = (void*)0;/* VOLATILE GLOBAL g_137 */
static union U2 *g_166[5][3] = {{&g_40,&g_40,&g_40},{&g_40,&g_40,&g_40},{&g_40,&g_40,&g_40},{&g_40,&g_40,&g_40},{&g_40,&g_40,&g_40}};
static union U2 ** volatile g_165[6][4] = {{&g_166[0][1],&g_166[0][1],&g_166[0][1],&g_166[0][1]},{&g_166[0][1],&g_166[0][1],&g_166[0][1],&g_166[0][1]},{&g_166[0][1],&g_166[0][1],&g_166[0][1],&g_166[0][1]},{&g_166[0][1],&g_166[0][1],&g_166[0][1],&g_166[0][1]},{&g_166[0][1],&g_166[0][1],&g_166[0][1],&g_166[0][1]},{&g_166[0][1],&g_166[0][1],&g_166[0][1],&g_166[0][1]}};
static union U2 ** volatile g_168 = &g_166[0][0];/* VOLATILE GLOBAL g_168 */
static int8_t * volatile *g_200 = (void*)0;
static int8_t * volatile * const  volatile *g_199 = &g_200;
static uint16_t g_203 = 0x5C51L;
static int16_t *g_218 = &g_50;
static int32_t g_225 = 0x467E5DD0L;
static int8_t g_227 = 1L;
static int8_t ** const g_235 = (void*)0;
static int8_t ** const *g_234 = &g_235;
static volatile uint32_t g_258 = 18446744073709551615UL;/* VOLATILE GLOBAL g_258 */
static volatile uint64_t g_290 = 0x81E8D3F0CE087C82LL;/* VOLATILE GLOBAL g_290 */
static int16_t g_298 = 0xCD14L;


/* --- FORWARD DECLARATIONS --- */
static union U2  func_1(void);
static int32_t * func_14(int32_t * p_15, const int8_t * p_16, int64_t  p_17, int32_t  p_18);
static int32_t * func_19(union U2  p_20, uint8_t  p_21);
static union U2  func_22(int8_t * p_23, union U2  p_24);


/* --- FUNCTIONS --- */
/* ------------------------------------------ */
/* 
 * reads : g_11 g_2 g_34 g_7 g_28 g_40 g_40.f0 g_74 g_76 g_93 g_97 g_98 g_99 g_36 g_109 g_3 g_110 g_120 g_39 g_168 g_109.f4 g_199 g_109.f3 g_109.f0 g_225 g_203 g_218 g_109.f1 g_258 g_227 g_290
 * writes: g_3 g_11 g_29 g_36 g_39 g_40 g_74 g_7 g_93 g_98 g_28 g_166 g_109.f4 g_218 g_225 g_227 g_234 g_203 g_258 g_298
 */
static union U2  func_1(void)
{ /* block id: 0 */
    int16_t l_9 = 0xB58EL;
    int32_t l_10 = 1L;
    int8_t **l_25 = (void*)0;
    int8_t *l_27 = &g_28[0][0][0];
    int8_t **l_26[1];
    uint64_t *l_35 = &g_36[1];
    int32_t l_37 = (-7L);
    int64_t *l_38 = &g_39;
    union U2 *l_41[6];
    int16_t l_131 = 0x2D78L;
    uint8_t l_132 = 0x51L;
    int32_t l_144 = 1L;
    int32_t l_145 = 0xACCF6E19L;
    int32_t l_146 = 1L;
    int32_t l_147 = (-3L);
    int64_t l_153[6][1] = {{(-1L)},{(-1L)},{0x7D84EA22E85F5907LL},{(-1L)},{(-1L)},{0x7D84EA22E85F5907LL}};
    uint64_t l_201 = 0x3B0C7BE276FF74A9LL;
    uint64_t l_206 = 0x27C09D1445D63032LL;
    uint32_t l_265[5];
    union U2 l_299[3][1][2] = {{{{0x874894D46530D641LL},{0x874894D46530D641LL}}},{{{0x874894D46530D641LL},{0x874894D46530D641LL}}},{{{0x874894D46530D641LL},{0x874894D46530D641LL}}}};
    int i, j, k;
    for (i = 0; i < 1; i++)
        l_26[i] = &l_27;
    for (i = 0; i < 6; i++)
        l_41[i] = &g_40;
    for (i = 0; i < 5; i++)
        l_265[i] = 18446744073709551610UL;
lbl_262:
    for (g_3 = 0; (g_3 != 24); g_3++)
    { /* block id: 3 */
        int32_t *l_6 = &g_7;
        int32_t *l_8[1];
        int i;
        for (i = 0; i < 1; i++)
            l_8[i] = &g_7;
        ++g_11;
        if (l_9)
            continue;
    }
lbl_261:
    (*g_110) = func_14((g_2[0][0] , func_19(func_22((g_29 = (void*)0), (g_40 = (((((*l_38) = (((((safe_sub_func_int8_t_s_s(0xD2L, l_10)) | l_9) >= (safe_sub_func_int64_t_s_s((g_34 , l_10), ((*l_35) = g_11)))) == (g_7 && g_28[1][0][2])) | l_37)) , g_28[0][0][2]) & 0xC01D4C3F121F2059LL) , g_40))), l_9)), &g_28[1][0][0], g_28[1][0][1], l_9);
    for (g_39 = 28; (g_39 == (-26)); g_39 = safe_sub_func_uint64_t_u_u(g_39, 5))
    { /* block id: 40 */
        uint32_t l_115 = 1UL;
        uint8_t *l_130[2][4][6] = {{{&g_109[1][2][0].f4,&g_109[1][2][0].f4,&g_74,&g_109[1][2][0].f4,&g_109[1][2][0].f4,&g_74},{&g_109[1][2][0].f4,&g_109[1][2][0].f4,&g_74,&g_109[1][2][0].f4,&g_109[1][2][0].f4,&g_74},{&g_109[1][2][0].f4,&g_109[1][2][0].f4,&g_74,&g_109[1][2][0].f4,&g_109[1][2][0].f4,&g_74},{&g_109[1][2][0].f4,&g_109[1][2][0].f4,&g_74,&g_109[1][2][0].f4,&g_109[1][2][0].f4,&g_74}},{{&g_109[1][2][0].f4,&g_109[1][2][0].f4,&g_74,&g_109[1][2][0].f4,&g_109[1][2][0].f4,&g_74},{&g_109[1][2][0].f4,&g_109[1][2][0].f4,&g_74,&g_109[1][2][0].f4,&g_109[1][2][0].f4,&g_74},{&g_109[1][2][0].f4,&g_109[1][2][0].f4,&g_74,&g_109[1][2][0].f4,&g_109[1][2][0].f4,&g_74},{&g_109[1][2][0].f4,&g_109[1][2][0].f4,&g_74,&g_109[1][2][0].f4,&g_109[1][2][0].f4,&g_74}}};
        int8_t ***l_133[5][6] = {{(void*)0,(void*)0,(void*)0,&l_25,(void*)0,(void*)0},{(void*)0,(void*)0,&l_26[0],&l_25,&l_25,&l_26[0]},{(void*)0,(void*)0,&l_25,&l_25,&l_26[0],&l_25},{(void*)0,(void*)0,(void*)0,&l_26[0],&l_25,&l_25},{(void*)0,(void*)0,(void*)0,(void*)0,(void*)0,&l_25}};
        int32_t *l_139[4][4] = {{&l_37,&l_37,&l_10,&l_37},{&l_37,&g_7,&g_7,&l_37},{&g_7,&l_37,&g_7,&g_7},{&l_37,&l_37,&l_10,&l_37}};
        union U2 *l_164 = &g_40;
        int64_t l_210 = (-1L);
        int16_t *l_217 = &l_131;
        int32_t l_226 = 0L;
        int i, j, k;
        if ((~((l_26[0] = ((!(l_115 >= (safe_div_func_uint64_t_u_u(((&g_36[0] == ((l_115 != ((*l_27) = (l_132 = ((((safe_add_func_int32_t_s_s((g_120[2] , ((((l_115 ^ (safe_rshift_func_uint8_t_u_u((+(safe_lshift_func_uint16_t_u_u((((**g_99) = (((safe_add_func_uint8_t_u_u((((*l_35)--) && (l_38 != &g_39)), 1L)) , (l_37 = (((((l_115 != g_39) && g_2[2][0]) >= 0xDA819422B6A99605LL) <= g_36[0]) ^ 0x714D024A44AA9F20LL))) , (**g_97))) < l_115), l_10))), g_40.f0))) >= l_115) || l_115) & l_10)), l_131)) | l_115) >= l_115) && l_10)))) , &g_36[1])) == l_131), g_93[1])))) , (void*)0)) != &g_29)))
        { /* block id: 47 */
            uint8_t l_136 = 255UL;
            int32_t l_140 = 0L;
            uint8_t l_148 = 0x43L;
            int64_t l_151 = 0x1A7EA209B0CDC420LL;
            if (l_115)
                break;
            for (g_3 = (-14); (g_3 == 21); ++g_3)
            { /* block id: 51 */
                int32_t **l_138 = (void*)0;
                l_136 = (g_39 || (&g_28[0][0][0] != &g_28[0][0][0]));
                l_139[2][2] = (*g_99);
                if ((**g_99))
                    break;
            }
            l_140 ^= (*g_76);
            for (l_136 = 0; (l_136 != 50); l_136++)
            { /* block id: 59 */
                int64_t l_143[6][3] = {{(-6L),(-6L),(-6L)},{0x97D859D8DA1D7361LL,0x97D859D8DA1D7361LL,0x97D859D8DA1D7361LL},{(-6L),(-6L),(-6L)},{0x97D859D8DA1D7361LL,0x97D859D8DA1D7361LL,0x97D859D8DA1D7361LL},{(-6L),(-6L),(-6L)},{0x97D859D8DA1D7361LL,0x97D859D8DA1D7361LL,0x97D859D8DA1D7361LL}};
                int32_t l_152 = (-1L);
                int32_t l_154 = 0xD31AF410L;
                uint32_t l_155 = 0x177B4B0EL;
                int i, j;
                --l_148;
                l_155--;
            }
        }
        else
        { /* block id: 63 */
            int8_t l_173 = 0xB2L;
            const int8_t *l_198 = &g_28[1][0][1];
            const int8_t **l_197[1][4][2] = {{{&l_198,&l_198},{&l_198,&l_198},{&l_198,&l_198},{&l_198,&l_198}}};
            const int8_t ***l_196 = &l_197[0][2][0];
            uint16_t *l_202[5] = {&g_203,&g_203,&g_203,&g_203,&g_203};
            int32_t l_204 = 1L;
            int32_t l_205 = 0x219EB458L;
            uint8_t l_207[5][4][5] = {{{0x0EL,0x10L,0x9AL,0x10L,0x0EL},{0UL,0xFCL,1UL,0x0EL,252UL},{0UL,252UL,0x30L,0x47L,0x47L},{0x0EL,0x26L,0x0EL,0xFCL,252UL}},{{246UL,0x47L,252UL,0xFCL,0x0EL},{252UL,0x30L,0x47L,0x47L,0x30L},{0x30L,7UL,252UL,0x0EL,1UL},{0x26L,7UL,0x0EL,0x10L,0x9AL}},{{0UL,0x30L,0x30L,0UL,0x10L},{0x26L,0x47L,1UL,0UL,0x10L},{0x30L,0x26L,0x9AL,252UL,0x9AL},{252UL,252UL,0x10L,0UL,1UL}},{{246UL,0xFCL,0x10L,0UL,0x30L},{0x0EL,0x10L,0x9AL,0x10L,0x0EL},{0UL,0xFCL,1UL,0x0EL,252UL},{0UL,252UL,0x30L,0x47L,0x47L}},{{0x0EL,0x26L,0x0EL,0xFCL,252UL},{246UL,0x47L,252UL,0xFCL,0x0EL},{252UL,0x30L,0x47L,0x47L,0x30L},{0x30L,7UL,252UL,0x0EL,1UL}}};
            int i, j, k;
            for (l_146 = 0; (l_146 > 26); ++l_146)
            { /* block id: 66 */
                uint16_t l_160 = 0xE04BL;
                uint64_t l_163[4];
                union U2 **l_167 = (void*)0;
                int i;
                for (i = 0; i < 4; i++)
                    l_163[i] = 0x9B09EDA30AC00048LL;
                l_160++;
                l_163[3] ^= l_160;
                (*g_168) = l_164;
            }
            l_207[3][0][1] = ((+(safe_mod_func_int64_t_s_s(((+(g_93[1] = (g_109[1][2][0].f4++))) && ((void*)0 != &l_147)), (((safe_mul_func_uint8_t_u_u((safe_div_func_uint64_t_u_u(((safe_sub_func_int8_t_s_s((safe_add_func_int32_t_s_s(((!(l_205 |= (((safe_div_func_uint16_t_u_u((l_204 = ((g_74 < ((((safe_sub_func_uint64_t_u_u(((safe_mul_func_int16_t_s_s((safe_div_func_int64_t_s_s((~(18446744073709551614UL >= g_2[0][0])), (-1L))), ((l_196 == g_199) || 0x0CL))) , 0UL), l_153[3][0])) && l_201) , (-2L)) != l_173)) < 1L)), g_36[1])) || g_74) | g_28[0][0][0]))) == l_173), l_153[0][0])), g_11)) ^ l_206), g_3)), g_7)) < 1UL) , l_10)))) & l_173);
            for (l_132 = 0; l_132 < 2; l_132 += 1)
            {
                g_36[l_132] = 18446744073709551613UL;
            }
            (**g_99) = 1L;
        }
        g_227 = (safe_lshift_func_int8_t_s_u((l_37 < ((l_210 > (safe_div_func_int8_t_s_s(((**g_110) , (((g_3 , (safe_div_func_int8_t_s_s((safe_add_func_int64_t_s_s((((g_218 = l_217) != &g_91) || (-3L)), ((g_225 ^= (l_145 &= (safe_add_func_int8_t_s_s(((safe_sub_func_int64_t_s_s((safe_rshift_func_uint16_t_u_u(g_36[1], (((*l_164) , g_109[1][2][0].f3) && g_28[0][0][0]))), 0xF45CD9686125EB5ELL)) ^ 0xBF3EL), g_109[1][2][0].f0)))) ^ l_131))), l_226))) | g_203) >= 0xAC4E5C6BL)), 1UL))) & 0xCFL)), 3));
        for (l_147 = 15; (l_147 != (-11)); --l_147)
        { /* block id: 85 */
            uint64_t l_242 = 0x98C0DEAB1E3EF1A1LL;
            int32_t l_255 = (-1L);
            uint16_t *l_256 = &g_203;
            int16_t l_257 = 0xEBC0L;
            union U2 l_271 = {0x3D29711FA603679CLL};
            if ((((*l_256) = (((safe_add_func_uint8_t_u_u(((safe_add_func_int8_t_s_s(l_153[0][0], ((g_234 = &l_26[0]) == (void*)0))) != ((g_3 & (safe_sub_func_uint32_t_u_u((((*g_218) ^= (safe_mul_func_uint16_t_u_u((safe_sub_func_uint64_t_u_u(l_242, g_2[2][0])), l_242))) >= (safe_sub_func_int16_t_s_s(((safe_div_func_uint64_t_u_u((((safe_add_func_uint32_t_u_u(g_39, ((((safe_add_func_int64_t_s_s(((safe_mod_func_uint32_t_u_u((l_255 |= (safe_sub_func_int16_t_s_s(g_3, 3L))), g_39)) , 0L), l_206)) & g_39) || 0x32L) >= 0x7A06D27CL))) <= g_36[1]) , 0xA230B5BDB629B371LL), g_109[1][2][0].f1)) < g_36[1]), 0x8DB3L))), g_109[1][2][0].f0))) || g_11)), 0xD6L)) > 251UL) >= 9UL)) != l_10))
            { /* block id: 90 */
                g_258--;
                if (l_37)
                    goto lbl_261;
            }
            else
            { /* block id: 93 */
                int32_t l_263 = 7L;
                int32_t l_264[4] = {0x96F4DC4DL,0x96F4DC4DL,0x96F4DC4DL,0x96F4DC4DL};
                int8_t l_270 = 0x89L;
                int i;
                if (l_131)
                    goto lbl_262;
                l_265[0]++;
                l_270 &= (safe_mul_func_uint16_t_u_u(g_227, (*g_218)));
                return l_271;
            }
        }
        for (l_132 = 0; (l_132 >= 52); l_132 = safe_add_func_int64_t_s_s(l_132, 1))
        { /* block id: 102 */
            uint32_t l_274 = 0x2E3BCCD2L;
            for (g_11 = 1; (g_11 <= 4); g_11 += 1)
            { /* block id: 105 */
                uint16_t l_294 = 1UL;
                const int32_t l_295 = 0L;
                ++l_274;
                (**g_110) = ((safe_lshift_func_int16_t_s_s((safe_mul_func_uint8_t_u_u(0x01L, ((l_153[2][0] | (g_298 = ((safe_mod_func_int64_t_s_s((safe_rshift_func_uint16_t_u_u(((safe_rshift_func_uint8_t_u_u(g_109[1][2][0].f3, 3)) , ((safe_lshift_func_int16_t_s_u(((~g_11) < 0UL), 10)) != g_290)), 4)), (~((safe_rshift_func_int8_t_s_u((l_294 = g_109[1][2][0].f0), l_295)) == (((safe_lshift_func_uint16_t_u_s((((l_139[2][2] != &g_3) , 0x4B41A18EL) , 0xAE2EL), 2)) ^ 8UL) && 0xC828L))))) < 0x0B3FL))) ^ l_295))), 4)) <= l_274);
            }
        }
    }
    return l_299[1][0][1];
}


/* ------------------------------------------ */
/* 
 * reads : g_40 g_40.f0 g_7 g_74 g_28 g_76 g_93 g_97 g_98 g_99 g_36 g_2 g_11 g_109 g_3
 * writes: g_39 g_11 g_74 g_7 g_93 g_98 g_3
 */
static int32_t * func_14(int32_t * p_15, const int8_t * p_16, int64_t  p_17, int32_t  p_18)
{ /* block id: 30 */
    int8_t *l_89 = &g_28[1][0][0];
    int32_t l_90 = (-9L);
    uint8_t *l_92[5];
    int32_t **l_96 = (void*)0;
    int32_t *l_108 = &g_7;
    int i;
    for (i = 0; i < 5; i++)
        l_92[i] = &g_93[1];
    (*g_97) = func_19(func_22(&g_28[0][0][0], func_22(l_89, g_40)), (g_93[1]++));
    (*g_99) = (*g_97);
    (*p_15) = ((safe_lshift_func_int16_t_s_s(g_40.f0, ((safe_lshift_func_uint16_t_u_s(g_36[1], 14)) | g_2[2][0]))) & g_36[1]);
    (*l_108) ^= (safe_add_func_int8_t_s_s(0x2AL, (((((l_90 <= (safe_add_func_uint64_t_u_u(g_11, (l_108 != &p_18)))) == 0x87DFL) ^ ((g_109[1][2][0] , l_92[0]) == p_16)) ^ 0xAFA2358462BD54EFLL) | (*p_15))));
    return (*g_99);
}


/* ------------------------------------------ */
/* 
 * reads :
 * writes:
 */
static int32_t * func_19(union U2  p_20, uint8_t  p_21)
{ /* block id: 28 */
    int32_t *l_88[2];
    int i;
    for (i = 0; i < 2; i++)
        l_88[i] = &g_3;
    return l_88[1];
}


/* ------------------------------------------ */
/* 
 * reads : g_39 g_11 g_40 g_40.f0 g_7 g_74 g_28 g_76
 * writes: g_39 g_11 g_74 g_7
 */
static union U2  func_22(int8_t * p_23, union U2  p_24)
{ /* block id: 11 */
    int32_t l_48 = 0L;
    int32_t *l_77 = &l_48;
    int32_t *l_78 = &g_3;
    int32_t *l_79 = &g_7;
    int32_t *l_80 = (void*)0;
    int32_t *l_81 = &l_48;
    int32_t l_82 = 0x7DF0EBE3L;
    int32_t l_83 = 8L;
    int32_t *l_84[5];
    uint64_t l_85 = 0x4A768641A018BFD1LL;
    int i;
    for (i = 0; i < 5; i++)
        l_84[i] = &g_7;
    for (g_39 = 18; (g_39 != 20); ++g_39)
    { /* block id: 14 */
        int16_t *l_49[3][3] = {{&g_50,&g_50,&g_50},{&g_50,&g_50,&g_50},{&g_50,&g_50,&g_50}};
        int32_t l_51 = 0L;
        int32_t l_71[5][2][2] = {{{0xF9D3F58FL,0xCF56E035L},{0xF9D3F58FL,0xF9D3F58FL}},{{0xCF56E035L,0xF9D3F58FL},{0xF9D3F58FL,0xCF56E035L}},{{0xF9D3F58FL,0xF9D3F58FL},{0xCF56E035L,0xF9D3F58FL}},{{0xF9D3F58FL,0xCF56E035L},{0xF9D3F58FL,0xF9D3F58FL}},{{0xCF56E035L,0xF9D3F58FL},{0xF9D3F58FL,0xCF56E035L}}};
        int64_t *l_72[3];
        uint8_t *l_73 = &g_74;
        int32_t *l_75 = (void*)0;
        int i, j, k;
        for (i = 0; i < 3; i++)
            l_72[i] = (void*)0;
        for (g_11 = 0; (g_11 <= 0); g_11 += 1)
        { /* block id: 17 */
            return g_40;
        }
        (*g_76) = ((safe_div_func_uint64_t_u_u((0x5D63260039C1D55ELL >= p_24.f0), 0x58A4122E7DFE98D7LL)) , (safe_mul_func_int8_t_s_s((((((*l_73) ^= ((((((((l_51 = l_48) >= ((safe_rshift_func_uint8_t_u_u((safe_lshift_func_int8_t_s_u((safe_sub_func_int16_t_s_s(((safe_rshift_func_uint16_t_u_u((((p_24.f0 == ((safe_mod_func_uint32_t_u_u((safe_div_func_uint8_t_u_u(((safe_unary_minus_func_uint16_t_u(((void*)0 != &g_29))) != (l_71[0][0][0] = (safe_mod_func_int8_t_s_s((((safe_add_func_int8_t_s_s((safe_div_func_int32_t_s_s((-1L), p_24.f0)), (-1L))) >= 0x5BL) , 1L), l_71[3][1][0])))), g_40.f0)), g_40.f0)) <= p_24.f0)) , g_7) != p_24.f0), p_24.f0)) , (-2L)), p_24.f0)), 2)), 4)) | p_24.f0)) && p_24.f0) >= g_7) <= p_24.f0) == 3UL) , l_71[3][1][0]) , p_24.f0)) <= g_28[0][0][0]) && p_24.f0) != l_48), p_24.f0)));
        for (l_51 = 0; l_51 < 3; l_51 += 1)
        {
            l_72[l_51] = &g_39;
        }
    }
    l_85++;
    return p_24;
}




/* ---------------------------------------- */
int main (int argc, char* argv[])
{
    int i, j, k;
    int print_hash_value = 0;
    if (argc == 2 && strcmp(argv[1], "1") == 0) print_hash_value = 1;
    platform_main_begin();
    crc32_gentab();
    func_1();
    for (i = 0; i < 3; i++)
    {
        for (j = 0; j < 1; j++)
        {
            transparent_crc(g_2[i][j], "g_2[i][j]", print_hash_value);
            if (print_hash_value) printf("index = [%d][%d]\n", i, j);

        }
    }
    transparent_crc(g_3, "g_3", print_hash_value);
    transparent_crc(g_7, "g_7", print_hash_value);
    transparent_crc(g_11, "g_11", print_hash_value);
    for (i = 0; i < 3; i++)
    {
        for (j = 0; j < 1; j++)
        {
            for (k = 0; k < 3; k++)
            {
                transparent_crc(g_28[i][j][k], "g_28[i][j][k]", print_hash_value);
                if (print_hash_value) printf("index = [%d][%d][%d]\n", i, j, k);

            }
        }
    }
    for (i = 0; i < 2; i++)
    {
        transparent_crc(g_36[i], "g_36[i]", print_hash_value);
        if (print_hash_value) printf("index = [%d]\n", i);

    }
    transparent_crc(g_39, "g_39", print_hash_value);
    transparent_crc(g_40.f0, "g_40.f0", print_hash_value);
    transparent_crc(g_50, "g_50", print_hash_value);
    transparent_crc(g_74, "g_74", print_hash_value);
    transparent_crc(g_91, "g_91", print_hash_value);
    for (i = 0; i < 2; i++)
    {
        transparent_crc(g_93[i], "g_93[i]", print_hash_value);
        if (print_hash_value) printf("index = [%d]\n", i);

    }
    for (i = 0; i < 3; i++)
    {
        for (j = 0; j < 5; j++)
        {
            for (k = 0; k < 3; k++)
            {
                transparent_crc(g_109[i][j][k].f0, "g_109[i][j][k].f0", print_hash_value);
                transparent_crc(g_109[i][j][k].f1, "g_109[i][j][k].f1", print_hash_value);
                transparent_crc(g_109[i][j][k].f3, "g_109[i][j][k].f3", print_hash_value);
                transparent_crc(g_109[i][j][k].f4, "g_109[i][j][k].f4", print_hash_value);
                if (print_hash_value) printf("index = [%d][%d][%d]\n", i, j, k);

            }
        }
    }
    transparent_crc(g_203, "g_203", print_hash_value);
    transparent_crc(g_225, "g_225", print_hash_value);
    transparent_crc(g_227, "g_227", print_hash_value);
    transparent_crc(g_258, "g_258", print_hash_value);
    transparent_crc(g_290, "g_290", print_hash_value);
    transparent_crc(g_298, "g_298", print_hash_value);
    platform_main_end(crc32_context ^ 0xFFFFFFFFUL, print_hash_value);
    return 0;
}

/************************ statistics *************************
XXX max struct depth: 0
breakdown:
   depth: 0, occurrence: 70
XXX total union variables: 6

XXX max expression depth: 37
breakdown:
   depth: 1, occurrence: 51
   depth: 2, occurrence: 11
   depth: 3, occurrence: 1
   depth: 5, occurrence: 1
   depth: 8, occurrence: 1
   depth: 11, occurrence: 1
   depth: 24, occurrence: 2
   depth: 25, occurrence: 1
   depth: 31, occurrence: 1
   depth: 32, occurrence: 1
   depth: 37, occurrence: 2

XXX total number of pointers: 56

XXX times a variable address is taken: 82
XXX times a pointer is dereferenced on RHS: 10
breakdown:
   depth: 1, occurrence: 7
   depth: 2, occurrence: 3
XXX times a pointer is dereferenced on LHS: 17
breakdown:
   depth: 1, occurrence: 14
   depth: 2, occurrence: 3
XXX times a pointer is compared with null: 2
XXX times a pointer is compared with address of another variable: 3
XXX times a pointer is compared with another pointer: 2
XXX times a pointer is qualified to be dereferenced: 305

XXX max dereference level: 3
breakdown:
   level: 0, occurrence: 0
   level: 1, occurrence: 59
   level: 2, occurrence: 13
   level: 3, occurrence: 6
XXX number of pointers point to pointers: 18
XXX number of pointers point to scalars: 35
XXX number of pointers point to structs: 0
XXX percent of pointers has null in alias set: 33.9
XXX average alias set size: 1.36

XXX times a non-volatile is read: 153
XXX times a non-volatile is write: 72
XXX times a volatile is read: 17
XXX    times read thru a pointer: 0
XXX times a volatile is write: 9
XXX    times written thru a pointer: 0
XXX times a volatile is available for access: 434
XXX percentage of non-volatile access: 89.6

XXX forward jumps: 0
XXX backward jumps: 2

XXX stmts: 49
XXX max block depth: 3
breakdown:
   depth: 0, occurrence: 13
   depth: 1, occurrence: 9
   depth: 2, occurrence: 11
   depth: 3, occurrence: 16

XXX percentage a fresh-made variable is used: 18.1
XXX percentage an existing variable is used: 81.9
********************* end of statistics **********************/

